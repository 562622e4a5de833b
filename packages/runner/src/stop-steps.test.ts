import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { Job } from '@signalbox/contract/job';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTool } from './prepare/find-tool.ts';
import { makeJob, Yard } from './test/fixtures.ts';

const timeout = 120_000;
const has = (tool: string) => findTool(tool, process.env.PATH ?? '') !== null;
const needs = (tool: string) => (has(tool) ? '' : ` (${tool} is not installed)`);

let yard: Yard;
/** Takes connections and says nothing. */
let silent: Server;
let calls = 0;
let port = 0;

beforeAll(async () => {
  yard = await Yard.open();
  silent = createServer((socket) => {
    calls += 1;
    socket.on('error', () => socket.destroy()); // who called was ended
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const address = silent.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(async () => {
  await yard.close();
  silent.close();
  expect(yard.server.problems).toEqual([]);
});

/** Processes of the task: all that have its directory as their own, or in their command line. */
function countProcesses(directory: string): number {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`${directory}/tasks/`);
    } catch {
      return false; // it ended while we looked
    }
  }).length;
}

const steps: [string, string, () => [Record<string, string>, Partial<Job>]][] = [
  [
    'installs what a playbook requires',
    'ansible-galaxy',
    () => [
      {
        'site.yml': '- hosts: all\n  tasks: []\n',
        'requirements.yml': `collections:\n  - name: http://127.0.0.1:${port}/never.tar.gz\n    type: url\n`,
      },
      {
        app: { id: 'ansible', path: '', args: null },
        playbook: 'site.yml',
        inventory: {
          type: 'static',
          content: 'localhost ansible_connection=local\n',
          ssh_key: { type: 'none' },
          become_key: { type: 'none' },
          host_key_policy: 'accept-new',
          repository: null,
        },
      },
    ],
  ],
  [
    'initialises the directory of its code',
    'terraform',
    () => [
      { 'main.tf': `terraform {\n  backend "http" {\n    address = "http://127.0.0.1:${port}/never"\n  }\n}\n` },
      { app: { id: 'terraform', path: '', args: null }, playbook: '' },
    ],
  ],
];

for (const [what, tool, make] of steps) {
  it.skipIf(!has(tool))(
    `a stop ends a task that ${what}, with all of its processes${needs(tool)}`,
    { timeout },
    async () => {
      const [files, change] = make();
      const track = yard.server.add(makeJob(yard.repository(tool, files), change));
      const before = calls;
      await yard.server.until(() => calls > before || track.finish !== null, 60_000);
      expect(track.finish).toBeNull();
      expect(countProcesses(yard.dataDir)).toBeGreaterThan(0);
      yard.server.stop(track, 'stop');
      expect(await yard.server.finished(track, 60_000)).toMatchObject({
        outcome: 'stopped',
        reason: 'The task was stopped',
      });
      expect(countProcesses(yard.dataDir)).toBe(0);
    },
  );
}
