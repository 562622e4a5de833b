import { describe, expect, it } from 'vitest';
import {
  decodeFrames,
  decodeLineTable,
  encodeFrame,
  encodeLineTable,
  type FrameHeader,
  joinChunk,
  splitChunk,
} from './log-frame.ts';

const header: FrameHeader = {
  task_id: 7,
  fence: 1,
  claim_id: 'c',
  first: 1,
  count: 3,
  bytes: 12,
  crc: 4_294_967_295,
  time: 1_700_000_000_000,
  size: 4,
  gap: null,
};

describe('the line table', () => {
  it('gives back times and continuation flags', () => {
    const start = 1_700_000_000_000;
    const table = {
      times: [start, start + 1, start + 100_000, start + 90_000_000],
      continued: [false, true, true, false],
    };
    expect(decodeLineTable(encodeLineTable(start, table), start, 4)).toEqual(table);
  });

  it('keeps the order of lines when the clock was set back', () => {
    const table = encodeLineTable(1000, { times: [1000, 400, 1500], continued: [false, false, false] });
    expect(decodeLineTable(table, 1000, 3).times).toEqual([1000, 1000, 1500]);
  });

  it('refuses a table that is shorter than its count', () => {
    expect(() => decodeLineTable(Uint8Array.from([0, 0x80]), 0, 2)).toThrow(RangeError);
  });
});

describe('frames', () => {
  it('come back in order, with their data', () => {
    const one = encodeFrame(header, Uint8Array.from([1, 2, 3, 4]));
    const gap = encodeFrame({ ...header, first: 4, count: 9, size: 0, gap: 'disk full' }, new Uint8Array());
    const body = new Uint8Array([...one, ...gap]);
    const frames = decodeFrames(body);
    expect(frames.map((frame) => frame.header.first)).toEqual([1, 4]);
    expect([...(frames[0]?.data ?? [])]).toEqual([1, 2, 3, 4]);
    expect(frames[1]?.header.gap).toBe('disk full');
  });

  it('are refused at every length at which one can be cut short', () => {
    const whole = encodeFrame(header, Uint8Array.from([1, 2, 3, 4]));
    for (let length = 1; length < whole.length; length += 1) {
      expect(() => decodeFrames(whole.subarray(0, length)), `cut at ${length}`).toThrow();
    }
  });

  it('are refused when a header lacks a member', () => {
    const bad = encodeFrame({ ...header, first: undefined as unknown as number }, Uint8Array.from([1, 2, 3, 4]));
    expect(() => decodeFrames(bad)).toThrow();
  });
});

describe('a chunk', () => {
  it('splits into the table and text that it was joined from', () => {
    const table = Uint8Array.from([2, 0]);
    const text = new TextEncoder().encode('a\nb\n');
    const parts = splitChunk(joinChunk(table, text));
    expect([...parts.table]).toEqual([...table]);
    expect(new TextDecoder().decode(parts.text)).toBe('a\nb\n');
  });

  it('is refused when it is cut short', () => {
    expect(() => splitChunk(Uint8Array.from([0, 0, 0]))).toThrow(RangeError);
    expect(() => splitChunk(Uint8Array.from([0, 0, 0, 9, 1]))).toThrow(RangeError);
  });
});
