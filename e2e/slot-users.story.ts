import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Api } from './fixtures/api.ts';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { because, missingFor, requireProgramPath } from './fixtures/needs.ts';
import { family } from './fixtures/process-family.ts';
import { findMarked } from './fixtures/processes.ts';
import { requireProgram } from './fixtures/program.ts';
import { addTemplate, makeWorkshop, type Workshop } from './fixtures/projects.ts';
import { projectRoot, type SignalboxServer, startServer } from './fixtures/server.ts';
import { launch, readLog, stopTask, waitForEnd, waitForLine, waitForSuccess } from './fixtures/tasks.ts';

const missing = missingFor('root', 'useradd', 'userdel');
const slotUser = /^signalbox-slot-\d+$/;

const files = {
  'look.sh': `
echo "user $(id -un)"
for path in "$1/encryption.key" "$1/state.db" "$1/run/runner.log"; do
  if cat "$path" > /dev/null 2>&1; then echo "can read $path"; fi
done
ls "$1" "$1/runner/tasks" > /dev/null 2>&1 && echo "can list"
echo "written by the task" > "$TMPDIR/file" && cat "$TMPDIR/file"
`,
  'stay.sh': `${family}\nwhile :; do sleep 1; done\n`,
};

function listSlotUsers(): string[] {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  return lines.map((line) => line.split(':')[0] ?? '').filter((name) => slotUser.test(name));
}

/** Takes away the users that this story has made; those that the machine had before stay. */
function removeSlotUsers(before: readonly string[]): void {
  const made = listSlotUsers().filter((name) => !before.includes(name));
  for (const name of made) execFileSync(requireProgramPath('userdel'), [name]);
}

/** The commands that the page gives to operators. */
async function readCommands(): Promise<string> {
  const page = await readFile(join(projectRoot, 'docs/reliability.md'), 'utf8');
  return /```sh\n([^`]*useradd[^`]*)```/.exec(page)?.[1] ?? '';
}

describe.skipIf(missing)(`slot users, made as docs/reliability.md says${because(missing)}`, () => {
  const before = listSlotUsers();
  let repository: GitRepository;
  let server: SignalboxServer;
  let api: Api;
  let workshop: Workshop;

  beforeAll(async () => {
    // A run that is cut short leaves nothing behind.
    process.once('exit', () => removeSlotUsers(before));
    if (before.length === 0) await requireProgram('sh', ['-ec', await readCommands()]);
    repository = await makeGitRepository(files);
    server = await startServer({ localRepositories: [repository.parent] });
    api = await server.signIn();
    workshop = await makeWorkshop(api, repository.path);
  });

  afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
    await repository?.[Symbol.asyncDispose]();
    removeSlotUsers(before);
  });

  test('a task runs as one of them, and can read neither the files of the server nor those of other tasks', async () => {
    const template = await addTemplate(api, workshop, {
      name: 'Look',
      playbook: 'look.sh',
      arguments: JSON.stringify([server.dataDir]),
    });
    const task = await launch(api, template);
    await waitForSuccess(api, task);
    const log = await readLog(api, task);
    expect(log.join('\n')).toMatch(/^user signalbox-slot-\d+$/m);
    expect(log.filter((line) => line.startsWith('can '))).toEqual([]);
    expect(log).toContain('written by the task');
  });

  test('a stop leaves none of its processes, also none that has cut every tie', async () => {
    const mark = `mark${randomBytes(6).toString('hex')}`;
    const template = await addTemplate(api, workshop, {
      name: mark,
      playbook: 'stay.sh',
      arguments: JSON.stringify([mark]),
      stop_grace_seconds: 3,
    });
    const task = await launch(api, template);
    await waitForLine(api, task, 'family is there');
    await stopTask(api, task);
    expect((await waitForEnd(api, task)).status).toBe('stopped');
    expect(findMarked(mark)).toEqual([]);
  });
});
