import { createHash } from 'node:crypto';
import { maxRecordBytes } from '@signalbox/contract/log-frame';
import { taskRoutes } from '@signalbox/contract/tasks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, readBytesBetween, readLines, readLog, type TaskPlace, waitForSuccess } from './fixtures/tasks.ts';

/** Ten million bytes without a line feed, each part different from its neighbours, so that a swap is seen. */
const endless = Buffer.from(Array.from({ length: 1_250_000 }, (_, index) => String(index).padStart(8, '.')).join(''));

/** Every byte value, lone continuation bytes, cut sequences, overlong forms, NUL, CR in all places. */
const broken = Buffer.concat([
  Buffer.from(Array.from({ length: 256 }, (_, index) => index)),
  Buffer.from('\nbefore\0after\n\0\0\0\n', 'latin1'),
  Buffer.from([0xc3, 0x28, 0x0a, 0xe2, 0x82, 0x0a, 0xf0, 0x9f, 0x98, 0x0a, 0xc0, 0xaf, 0xff, 0xfe, 0x0a]),
  Buffer.from('dos line\r\nprogress 1\rprogress 2\r\nlone\rlast\n\r\n\n\n'),
  Buffer.from('ä€😀 whole characters\n'),
]);

const escapes = Buffer.from(
  Array.from(
    { length: 2_000 },
    (_, line) =>
      `${Array.from({ length: 500 }, (_, index) => `\x1b[3${index % 8};1m${index % 10}`).join('')} ${line}\x1b[0m\n`,
  ).join(''),
);

const files = {
  'endless.bin': endless,
  'broken.bin': broken,
  'escapes.bin': escapes,
  'print.sh': 'echo BEGIN; cat "$1"; echo; echo END\n',
  'devices.sh': `
echo to stderr > /dev/stderr
echo to stdout > /dev/stdout
echo by tee | tee /dev/stderr > /dev/null
echo to fd 2 >&2
`,
  'order.py': `
import os
for number in range(5000):
    os.write(1 if number % 2 == 0 else 2, b'%d %s\\n' % (number, b'out' if number % 2 == 0 else b'err'))
`,
  'no-end.sh': `printf 'one\\ntwo without a line feed'\n`,
  'quiet.sh': ':\n',
};

describe('output', () => {
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;

  beforeAll(async () => {
    repository = await makeGitRepository(files);
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
  });

  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
  });

  async function run(playbook: string, app = 'bash', args: string[] = []): Promise<TaskPlace> {
    const name = `${playbook} ${args.join(' ')}`;
    const template = await addTemplate(api, workshop, { name, playbook, app, arguments: JSON.stringify(args) });
    const task = await launch(api, template);
    await waitForSuccess(api, task);
    return task;
  }

  test('to /dev/stderr, /dev/stdout and through tee arrives like any other, in order', async () => {
    const lines = await readLog(api, await run('devices.sh'));
    const own = lines.filter((line) => /^(to|by) /.test(line));
    expect(own).toEqual(['to stderr', 'to stdout', 'by tee', 'to fd 2']);
  });

  test('of stdout and stderr is stored in the order of the writes', async () => {
    const lines = (await readLog(api, await run('order.py', 'python'))).filter((line) => /^\d+ (out|err)$/.test(line));
    expect(lines).toEqual(Array.from({ length: 5000 }, (_, index) => `${index} ${index % 2 === 0 ? 'out' : 'err'}`));
  });

  const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

  test.each([
    ['a line of 10 MB', 'endless.bin', endless],
    ['NUL bytes, carriage returns and broken UTF-8', 'broken.bin', broken],
    ['a million escape codes', 'escapes.bin', escapes],
  ])('with %s comes back byte for byte in the raw download', async (_, file, bytes) => {
    const task = await run('print.sh', 'bash', [file]);
    const printed = await readBytesBetween(api, task, 'BEGIN', 'END');
    expect(printed.length).toBe(bytes.length + 1);
    expect(hash(printed)).toBe(hash(Buffer.concat([bytes, Buffer.from('\n')])));
  });

  test('of a long line is stored in records that say that they go on', async () => {
    const task = await run('print.sh', 'bash', ['endless.bin']);
    const lines = await readLines(api, task);
    const parts = lines.filter((line) => line.continued === true);
    expect(parts.length).toBeGreaterThanOrEqual(Math.floor(endless.length / maxRecordBytes));
    expect(parts.every((line) => Buffer.byteLength(line.output) <= maxRecordBytes)).toBe(true);
  });

  test('of broken UTF-8 shows replacement characters in JSON', async () => {
    const lines = await readLog(api, await run('print.sh', 'bash', ['broken.bin']));
    expect(lines).toContain('before\0after');
    expect(lines.some((line) => line.includes('\uFFFD'))).toBe(true);
    expect(lines).toContain('ä€😀 whole characters');
  });

  test('without a line feed at its end keeps the last line', async () => {
    expect(await readLog(api, await run('no-end.sh'))).toEqual(
      expect.arrayContaining(['one', 'two without a line feed']),
    );
  });

  test('that does not exist is an empty log, sealed', async () => {
    const task = await run('quiet.sh');
    const range = await api.call(taskRoutes.log, { params: task, query: {} });
    expect(range.sealed).toBe(true);
    expect(range.next).toBe(range.total + 1);
  });
});
