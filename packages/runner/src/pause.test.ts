import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { after, pause } from './pause.ts';

/** Nothing of this process runs, as between a SIGSTOP and its SIGCONT. */
function standStill(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

const waits: Record<string, (ms: number) => Promise<void>> = {
  'a pause': pause,
  'a timer': (ms) => new Promise((resolve) => void after(ms, resolve)),
};

it.each(Object.keys(waits))('hears what came in while the process stood still before %s is over', async (name) => {
  const wait = waits[name] ?? expect.unreachable();
  // It speaks when it is told to, and nobody listens then.
  const speaker = spawn('bash', ['-c', 'read -r; echo late words'], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(speaker, 'spawn');
  const heard: string[] = [];
  speaker.stdout.on('data', (words: Buffer) => heard.push(String(words).trim()));
  speaker.stdout.on('end', () => heard.push('the end'));
  speaker.on('exit', () => heard.push('its exit'));
  speaker.stdin.end('now\n');
  await once(speaker.stdin, 'finish');
  const over = wait(50).then(() => heard.push('over'));
  standStill(700);
  await over;
  expect(heard.slice(0, -1).toSorted()).toEqual(['its exit', 'late words', 'the end']);
  expect(heard.at(-1)).toBe('over');
});

it('is over at once when it is given up', async () => {
  const giveUp = new AbortController();
  const waiting = pause(60_000, giveUp.signal);
  giveUp.abort();
  await waiting;
  let acted = false;
  after(1, () => {
    acted = true;
  })();
  await pause(20);
  expect(acted).toBe(false);
});
