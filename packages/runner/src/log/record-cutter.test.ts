import { maxChunkBytes, maxRecordBytes } from '@signalbox/contract/log-frame';
import { expect, it } from 'vitest';
import { type Chunk, RecordCutter } from './record-cutter.ts';

function cut(parts: string[]): { chunks: Chunk[]; records: { text: string; continued: boolean }[] } {
  const chunks: Chunk[] = [];
  const cutter = new RecordCutter((chunk) => chunks.push(chunk));
  for (const part of parts) cutter.push(part, 1);
  cutter.end(1);
  const records = chunks.flatMap((chunk) => {
    const texts = chunk.text.split('\n');
    expect(texts.pop()).toBe('');
    expect(texts).toHaveLength(chunk.count);
    return texts.map((text, index) => ({ text, continued: chunk.table.continued[index] ?? false }));
  });
  return { chunks, records };
}

it('gives the same records wherever the stream is cut', () => {
  const text = 'one\n\ntwo\r\nthree\rfour\r\r\nlast';
  const whole = cut([text]).records.map((record) => record.text);
  expect(whole).toEqual(['one', '', 'two\r', 'three\rfour\r\r', 'last']);
  for (let at = 0; at <= text.length; at += 1) {
    expect(cut([text.slice(0, at), text.slice(at)]).records.map((record) => record.text)).toEqual(whole);
  }
});

it('continues a long line in further records', () => {
  const long = 'x'.repeat(maxRecordBytes);
  expect(cut([`${long}\n`]).records).toEqual([{ text: long, continued: false }]);
  expect(cut([`${long}y\n`]).records).toEqual([
    { text: long, continued: true },
    { text: 'y', continued: false },
  ]);
  const parts = cut([long, long, 'yy', '\nz\n']).records;
  expect(parts.map((record) => [record.text.length, record.continued])).toEqual([
    [maxRecordBytes, true],
    [maxRecordBytes, true],
    [2, false],
    [1, false],
  ]);
});

it('cuts a chunk at 500 lines and before it grows too large', () => {
  const { chunks } = cut(['a\n'.repeat(1200)]);
  expect(chunks.map((chunk) => chunk.count)).toEqual([500, 500, 200]);
  const large = cut([`${'b'.repeat(60_000)}\n`.repeat(10)]);
  expect(large.records).toHaveLength(10);
  for (const chunk of large.chunks) expect(chunk.text.length).toBeLessThanOrEqual(maxChunkBytes);
});

it('puts a line of the runner before a line that has no end yet, and never between the parts of a long one', () => {
  const chunks: Chunk[] = [];
  const cutter = new RecordCutter((chunk) => chunks.push(chunk));
  cutter.push('begin', 1);
  expect(cutter.isInsideLine).toBe(false);
  cutter.insertLine('runner says', 1);
  cutter.push(' end\n', 1);
  cutter.push('y'.repeat(maxRecordBytes + 1), 1);
  expect(cutter.isInsideLine).toBe(true);
  cutter.end(1);
  expect(
    chunks
      .map((chunk) => chunk.text)
      .join('')
      .slice(0, 22),
  ).toBe('runner says\nbegin end\n');
});
