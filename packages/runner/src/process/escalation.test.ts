import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Escalation, threeSteps, withGrace, withoutCare } from './escalation.ts';
import { TaskProcesses } from './task-processes.ts';

it('interrupts a tool that was started after the stop had first been asked for', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'sbe-'));
  const task = { name: 't', mark: 'none=none', directory, spared: null, companions: null };
  const processes = new TaskProcesses(null, null, task);
  const escalation = new Escalation(processes, threeSteps);
  escalation.begin();
  const output = openSync('/dev/null', 'w');
  const child = processes.spawn(
    { file: 'sleep', args: ['60'], cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdio: [null, output, output] },
    0n,
  );
  closeSync(output);
  escalation.begin();
  const [, signal] = await once(child, 'exit');
  expect(signal).toBe('SIGINT');
  escalation.end();
  await processes.endStrays();
  processes.dispose();
  rmSync(directory, { recursive: true });
});

it('drops the gentle steps that would come after the kill', () => {
  expect(withGrace(threeSteps, 5)).toEqual([
    { signal: 'SIGINT', after: 0 },
    { signal: 'SIGKILL', after: 5 },
  ]);
});

it('is as quick as for any tool where nothing can be lost, and quicker where the template says so', () => {
  expect(withoutCare(null)).toEqual(threeSteps);
  expect(withoutCare(900)).toEqual(threeSteps);
  expect(withoutCare(5)).toEqual(withGrace(threeSteps, 5));
});
