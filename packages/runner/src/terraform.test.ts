import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@signalbox/contract/job';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findTool } from './prepare/find-tool.ts';
import { makeJob, Yard } from './test/fixtures.ts';
import type { Track } from './test/protocol-server.ts';

const hasTerraform = findTool('terraform', process.env.PATH ?? '') !== null;
const reason = hasTerraform ? '' : ' (terraform is not installed)';

let yard: Yard;
beforeAll(async () => {
  yard = await Yard.open();
});
afterAll(() => yard.close());

/** Keeps its state in a file of the test, so that no server is needed for it. */
function makeCode(state: string, value: string): string {
  return `terraform {
  backend "local" {
    path = "${state}"
  }
}
variable "secret" { sensitive = true }
resource "terraform_data" "one" { input = "${value}" }
resource "terraform_data" "two" { input = sha256(var.secret) }
output "digest" { value = nonsensitive(sha256(var.secret)) }
`;
}

let count = 0;
function aJob(code: (state: string) => string, change: Partial<Job> = {}): { job: Job; state: string } {
  count += 1;
  const state = join(yard.directory, `state-${count}.json`);
  const path = yard.repository(`tf${count}`, { 'infra/main.tf': code(state) });
  const job = makeJob(path, {
    app: { id: 'terraform', path: '', args: null },
    playbook: 'infra',
    secret_variables: { secret: 'canary-of-terraform' },
    ...change,
  });
  return { job, state };
}

const withParams = (change: Partial<Job['params']>): Pick<Job, 'params'> => ({
  params: { ...makeJob('/x').params, ...change },
});

async function plan(track: Track): Promise<void> {
  await yard.server.until(() => track.plan !== null || track.finish !== null, 60_000);
}

it.skipIf(!hasTerraform)(`plans, waits, and applies exactly that plan${reason}`, async () => {
  const { job, state } = aJob((file) => makeCode(file, 'first'));
  const track = yard.server.add(job);
  await plan(track);
  expect(track.plan).toMatchObject({
    approved: false,
    plan: { add: 2, change: 0, destroy: 0, changes: [{ address: 'terraform_data.one', action: 'create' }, {}] },
  });
  await yard.server.until(() => yard.server.syncs.at(-1)?.holds[0]?.phase === 'waiting_confirmation', 20_000);
  expect(existsSync(state)).toBe(false);
  yard.server.decide(track, 'confirm');
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'success', reason: '' });
  expect(track.resumed).toBe(1);
  expect(readFileSync(state, 'utf8')).toContain('first');
  const text = yard.server.textOf(track);
  expect(text).toContain('Planned: 2 to add, 0 to change, 0 to destroy');
  expect(text).not.toContain('canary-of-terraform');
});

it.skipIf(!hasTerraform)(`changes nothing after a rejection${reason}`, async () => {
  const { job, state } = aJob((file) => makeCode(file, 'first'));
  const track = yard.server.add(job);
  await plan(track);
  yard.server.decide(track, 'reject');
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'stopped', reason: 'The plan was rejected' });
  expect(existsSync(state)).toBe(false);
});

it.skipIf(!hasTerraform)(
  `ends by itself when nothing would change, and then destroys what there is${reason}`,
  async () => {
    const { job, state } = aJob((file) => makeCode(file, 'same'), withParams({ auto_approve: true }));
    expect(await yard.server.finished(yard.server.add(job))).toMatchObject({ outcome: 'success' });
    const again = yard.server.add({ ...job, task_id: makeJob('/x').task_id, ...withParams({}) });
    expect(await yard.server.finished(again)).toMatchObject({ outcome: 'success' });
    expect(again.plan).toBeNull();
    const gone = yard.server.add({
      ...job,
      task_id: makeJob('/x').task_id,
      ...withParams({ destroy: true, auto_approve: true }),
    });
    expect(await yard.server.finished(gone)).toMatchObject({ outcome: 'success' });
    expect(gone.plan?.plan).toMatchObject({ add: 0, destroy: 2 });
    expect(JSON.parse(readFileSync(state, 'utf8'))).toMatchObject({ resources: [] });
  },
);

it.skipIf(!hasTerraform)(`only plans when only a plan is asked for${reason}`, async () => {
  const { job, state } = aJob((file) => makeCode(file, 'x'), withParams({ plan: true }));
  const track = yard.server.add(job);
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'success' });
  // It is shown, as it was all that was asked for; nothing was asked, and nothing was done.
  expect(track.plan).toMatchObject({ approved: true, plan: { add: 2 } });
  expect([track.resumed, existsSync(state)]).toEqual([0, false]);
});

it.skipIf(!hasTerraform)(`is stopped while it waits${reason}`, async () => {
  const { job, state } = aJob((file) => makeCode(file, 'x'));
  const track = yard.server.add(job);
  await plan(track);
  yard.server.stop(track, 'stop');
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'stopped', reason: 'The task was stopped' });
  expect(existsSync(state)).toBe(false);
});

it.skipIf(!hasTerraform)(`says that the plan is lost when its runner is${reason}`, async () => {
  const own = await Yard.open();
  const path = own.repository('tf', {
    'main.tf': 'resource "terraform_data" "one" {}\nterraform {\n  backend "local" {}\n}\n',
  });
  const track = own.server.add(makeJob(path, { app: { id: 'terraform', path: '', args: null }, playbook: '' }));
  await own.server.until(() => own.server.syncs.at(-1)?.holds[0]?.phase === 'waiting_confirmation', 60_000);
  own.runners[0]?.kill('SIGKILL');
  own.startRunner();
  const finish = await own.server.finished(track);
  expect(finish).toMatchObject({ outcome: 'error', reason: 'the plan was lost with its runner' });
  await own.close();
});

it('fails with one line where the tool is not installed', async () => {
  const { job } = aJob(() => '', { app: { id: 'tofu', path: '/nowhere/tofu', args: null } });
  expect(await yard.server.finished(yard.server.add(job))).toMatchObject({
    outcome: 'error',
    reason: expect.stringMatching(/^\/nowhere\/tofu is not installed on /),
  });
});

it('gives every step its exact words, also with a stand-in for the tool', async () => {
  const recorder = join(yard.directory, 'recorder');
  const record = join(yard.directory, 'record.txt');
  writeFileSync(
    recorder,
    `#!/bin/bash
echo "$PWD|$TF_HTTP_ADDRESS|$TF_HTTP_USERNAME|$*" >> ${record}
[ "$1" = show ] && echo '{"resource_changes":[{"address":"a.b","change":{"actions":["delete","create"]}}]}'
[ "$1" = plan ] && exit 2
exit 0
`,
  );
  chmodSync(recorder, 0o755);
  const path = yard.repository('stand-in', { 'main.tf': '# backend "none" {}\nresource "x" "y" {}\n' });
  const job = makeJob(path, {
    app: { id: 'tofu', path: recorder, args: null },
    playbook: '/',
    inventory: {
      type: 'tofu-workspace',
      content: 'staging',
      ssh_key: { type: 'none' },
      become_key: { type: 'none' },
      host_key_policy: 'accept-new',
      repository: null,
    },
    arguments: ['-parallelism=2'],
    state: { path: '/terraform/tasks/7', username: 'task-7', password: 'pw-of-the-state' },
    ...withParams({ upgrade: true, reconfigure: true, auto_approve: true }),
  });
  const track = yard.server.add(job);
  expect(await yard.server.finished(track)).toMatchObject({ outcome: 'success' });
  expect(track.plan).toMatchObject({ approved: true, plan: { add: 1, destroy: 1, change: 0 } });
  const lines = readFileSync(record, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.replaceAll(/\/\S*\/(?=plan|variables)/g, '<secrets>/').split('|'));
  // The door of the runner, which stays where it is when the server moves.
  const address = lines[0]?.[1] ?? '';
  expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/terraform\/tasks\/7$/);
  expect(address).not.toContain(yard.server.url);
  expect(lines.map(([, url, user, words]) => [url, user, words])).toEqual([
    [address, 'task-7', 'init -input=false -upgrade -reconfigure'],
    [
      address,
      'task-7',
      'plan -input=false -detailed-exitcode -out=<secrets>/plan.bin -var-file=<secrets>/variables.tfvars.json -parallelism=2',
    ],
    [address, 'task-7', 'show -json <secrets>/plan.bin'],
    [address, 'task-7', 'apply -input=false <secrets>/plan.bin'],
  ]);
});
