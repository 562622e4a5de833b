import { describe, expect, it } from 'vitest';
import { LineStore } from './line-store.ts';
import { isHeading, measureSection, splitHeading } from './section.ts';

const start = Date.parse('2026-11-21T12:00:00.000Z');

/** A log with a line every second. */
function openStore(outputs: string[], isSealed: boolean): LineStore {
  const store = new LineStore();
  store.addLive(
    outputs.map((output, index) => ({ line: index + 1, time: new Date(start + index * 1000).toISOString(), output })),
    outputs.length + 1,
  );
  if (isSealed) store.seal(outputs.length);
  return store;
}

describe('a heading of Ansible', () => {
  it.each([
    ['TASK [Gathering facts] *****', true],
    ['PLAY [Patch web tier] ***', true],
    ['RUNNING HANDLER [nginx : reload] ****', true],
    ['PLAY RECAP *****', true],
    ['TASK [x]', false],
    ['ok: [web-01]', false],
    ['Tasks *****', false],
    ['', false],
  ])('%s', (text, expected) => {
    expect(isHeading(text)).toBe(expected);
  });

  it('is split into what it says and its stars', () => {
    expect(splitHeading('TASK [a * b] *****')).toEqual({ title: 'TASK [a * b]', stars: ' *****' });
  });
});

describe('the duration of a part', () => {
  const log = ['TASK [one] ***', 'ok', 'ok', 'TASK [two] ***', 'ok'];

  it('ends with the next heading', () => {
    expect(measureSection(openStore(log, false), 1, start)).toEqual({ ms: 3000, isOver: true });
  });

  it('runs while no other part has begun', () => {
    expect(measureSection(openStore(log, false), 4, start + 60_000)).toEqual({ ms: 57_000, isOver: false });
  });

  it('ends with the log', () => {
    expect(measureSection(openStore(log, true), 4, start + 60_000)).toEqual({ ms: 1000, isOver: true });
  });

  it('is not known while lines are missing', () => {
    const store = openStore(log.slice(0, 2), false);
    store.addLive([{ line: 4, time: new Date(start).toISOString(), output: 'TASK [two] ***' }], 5);
    expect(measureSection(store, 1, start)).toBeUndefined();
  });
});
