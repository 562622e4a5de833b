import { setInterval } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type GitRepository, makeGitRepository } from './fixtures/git-repository.ts';
import { addTemplate, makeWorkshop } from './fixtures/projects.ts';
import { startServer } from './fixtures/server.ts';
import { launch, readLog, waitForSuccess } from './fixtures/tasks.ts';

const script = `
echo "head $(git rev-parse HEAD)"
echo "version $(cat VERSION)"
[ -z "$(git status --porcelain)" ] && echo clean
`;

/** Moves the branch one commit on every 50 ms until it is disposed of. */
function moveForEver(repository: GitRepository, commits: string[]): AsyncDisposable {
  const finished = new AbortController();
  const moving = (async () => {
    let next = 1;
    for await (const _ of setInterval(50, undefined)) {
      if (finished.signal.aborted) return;
      await repository.moveBranch('main', commits[next] ?? '');
      next = (next + 1) % commits.length;
    }
  })();
  return {
    async [Symbol.asyncDispose]() {
      finished.abort();
      await moving;
    },
  };
}

test('100 tasks launched while the branch moves every 50 ms each run exactly the commit that is recorded', async () => {
  await using repository = await makeGitRepository({ 'where.sh': script, VERSION: '0\n' });
  const commits = await repository.grow('main', 3000);
  await repository.moveBranch('main', commits[0] ?? '');
  await using server = await startServer({ localRepositories: [repository.parent] });
  const api = await server.signIn();
  const workshop = await makeWorkshop(api, `file://${repository.path}`);
  const template = await addTemplate(api, workshop, {
    name: 'Where',
    playbook: 'where.sh',
    allow_parallel_tasks: true,
  });

  await using _moving = moveForEver(repository, commits);
  const seen = new Set<string>();
  const runOne = async (): Promise<void> => {
    const place = await launch(api, template);
    const task = await waitForSuccess(api, place, 120_000);
    const lines = await readLog(api, place);
    const commit = task.commit_hash ?? '';
    expect(lines).toContain(`head ${commit}`);
    expect(lines).toContain(`version ${commits.indexOf(commit) + 1}`);
    expect(lines).toContain('clean');
    expect(task.commit_message).toBe(`Version ${commits.indexOf(commit) + 1}`);
    seen.add(commit);
  };
  // Five at a time: they share fetches and are prepared while the branch moves under them.
  for (let batch = 0; batch < 20; batch += 1) await Promise.all(Array.from({ length: 5 }, runOne));
  expect(seen.size).toBeGreaterThanOrEqual(20);
});
