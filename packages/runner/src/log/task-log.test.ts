import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { decodeFrames, type FrameHeader } from '@signalbox/contract/log-frame';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SecretSearch } from './mask.ts';
import { recoverSpool } from './recover-spool.ts';
import { Spool } from './spool.ts';
import { TaskLog } from './task-log.ts';

let directory: string;
const claim = { task_id: 1, fence: 2, claim_id: 'c' };

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'sbl-'));
});

afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
});

function openLog(limit = 1e9): TaskLog {
  return new TaskLog(claim, new SecretSearch([]), new Spool(directory, limit), () => undefined);
}

/** Lines that cannot be packed small. */
function makeNoise(count: number): Buffer {
  const lines = Array.from({ length: count }, () => crypto.randomUUID() + crypto.randomUUID());
  return Buffer.from(`${lines.join('\n')}\n`);
}

function readAll(log: TaskLog): FrameHeader[] {
  const headers: FrameHeader[] = [];
  for (;;) {
    const frames = log.readFrames(256 * 1024);
    if (frames.length === 0) return headers;
    for (const frame of frames) {
      const header = decodeFrames(frame)[0]?.header;
      if (header === undefined) throw new Error('no frame');
      headers.push(header);
      log.acknowledge(header.first + header.count);
    }
  }
}

it('counts, sums and numbers what it was given', () => {
  const log = openLog();
  log.say('Hello');
  log.feed(Buffer.from('one\ntwo'));
  expect(log.seal()).toEqual({ lines: 3, bytes: 14, crc: crc32('Hello\none\ntwo\n') });
  expect(readAll(log).at(-1)).toMatchObject({ ...claim, crc: crc32('Hello\none\ntwo\n') });
  expect(log.isHandedOver).toBe(true);
});

it('answers what is asked for again after it was acknowledged', () => {
  const log = openLog();
  log.feed(makeNoise(2000));
  log.seal();
  const first = readAll(log);
  log.acknowledge(1);
  expect(log.isHandedOver).toBe(false);
  expect(readAll(log)).toEqual(first);
});

it('is taken up by a successor where it stood, without a frame that was cut short', () => {
  const log = openLog();
  log.feed(makeNoise(1500));
  log.seal();
  const [first, second] = readAll(log);
  const last = readdirSync(directory).sort().at(-1) ?? '';
  truncateSync(join(directory, last), statSync(join(directory, last)).size - 1);
  const { spool, position } = recoverSpool(directory, 1e9);
  expect(position).toEqual({ lines: 1000, bytes: (first?.bytes ?? 0) + (second?.bytes ?? 0), crc: second?.crc });
  const next = new TaskLog(claim, new SecretSearch([]), spool, () => undefined, position);
  next.say('Failed: the runner was lost');
  expect(next.seal().lines).toBe(1001);
  expect(readAll(next).at(-1)).toMatchObject({ first: 1001, count: 1 });
});

it('makes room by giving up what the server has, oldest first', () => {
  const log = openLog(400_000);
  for (let turn = 0; turn < 20; turn += 1) {
    log.feed(makeNoise(1000));
    readAll(log);
  }
  const seal = log.seal();
  expect(seal.lines).toBe(20_000);
  readAll(log);
  expect(log.isHandedOver).toBe(true);
  const { position } = recoverSpool(directory, 400_000);
  expect(position).toEqual(seal);
  // The server has lost its end: what it wants again is gone, so the log ends there, and the rest is said to be lost.
  log.acknowledge(1001);
  const headers = readAll(log);
  expect(headers).toEqual([
    expect.objectContaining({ first: 1001, count: 19_000, size: 0, bytes: 0, crc: log.sealed.crc }),
  ]);
  expect(headers[0]?.gap).toContain('the server lost');
  expect(log.sealed).toMatchObject({ lines: 20_000, bytes: 73_000 });
});

it('records which lines were lost when no server takes the log and the spool is full', () => {
  const log = openLog(200_000);
  log.feed(makeNoise(10_000));
  const seal = log.seal();
  expect(seal.lines).toBe(10_000);
  const headers = readAll(log);
  const gap = headers.at(-1);
  expect(gap).toMatchObject({ gap: expect.stringContaining('the spool of the runner is full'), size: 0, bytes: 0 });
  expect((gap?.first ?? 0) + (gap?.count ?? 0)).toBe(10_001);
  expect(gap?.crc).toBe(headers.at(-2)?.crc);
  expect(log.diskFailure).toBeNull();
});

it('goes on after a loss when the server takes lines again', () => {
  const log = openLog(200_000);
  log.feed(makeNoise(10_000));
  readAll(log);
  log.feed(makeNoise(600));
  const seal = log.seal();
  expect(seal.lines).toBe(10_600);
  const headers = readAll(log);
  expect(headers[0]?.gap).not.toBeNull();
  expect(headers.at(-1)).toMatchObject({ gap: null, crc: seal.crc });
});

it('says on a full disk which lines are lost, and keeps the ones before them', () => {
  // The second file of the spool is on a device that is always full.
  symlinkSync('/dev/full', join(directory, 'log-000002.spool'));
  const log = openLog(1_000_000);
  log.feed(makeNoise(60_000));
  const seal = log.seal();
  expect(seal.lines).toBe(60_000);
  expect(log.diskFailure).toBe('the disk of the runner is full');
  const headers = readAll(log);
  expect(headers.length).toBeGreaterThan(2);
  expect(headers.at(-1)).toMatchObject({ gap: 'the disk of the runner is full', crc: seal.crc });
  expect(log.isHandedOver).toBe(true);
  log.close();
});
