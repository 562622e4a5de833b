import type { Job } from '@signalbox/contract/job';
import { threeSteps } from '../process/escalation.ts';
import { runnerMark, taskMark } from '../process/marked-processes.ts';
import { type Adapter, nameCommand, plainStep } from './adapter.ts';

const varsFile = 'vars.json';

function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Plain variables as `name=value`, sorted, so that the same task always has the same arguments. */
function listAssignments(job: Job): string[] {
  const names = Object.keys(job.variables).filter((name) => !(name in job.secret_variables));
  return names.sort().map((name) => `${name}=${renderValue(job.variables[name])}`);
}

/** The marks are not for variables to change: by them the processes of the task are found. */
function isEnvName(name: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\0') && name !== runnerMark && name !== taskMark;
}

/** An interpreter and a script of the repository. Secret variables never become arguments, which everybody can read. */
export function makeScriptAdapter(commands: Adapter['commands'], leading: string[]): Adapter {
  const adapter: Adapter = {
    commands,
    place: 'file',
    stop: threeSteps,
    listFiles: (job) => [{ name: varsFile, content: JSON.stringify({ ...job.variables, ...job.secret_variables }) }],
    listSteps: (job, room) => {
      const secrets = Object.entries(job.secret_variables).filter(([name]) => isEnvName(name));
      return [
        {
          ...plainStep,
          title: `Running ${nameCommand(job, adapter)} ${room.playbook}`,
          file: room.command,
          args: [...(job.app.args ?? leading), room.playbook, ...job.arguments, ...listAssignments(job)],
          env: { ...room.env, ...Object.fromEntries(secrets), SEMAPHORE_VARS_FILE: room.pathOf(varsFile) },
          cwd: room.tree,
        },
      ];
    },
  };
  return adapter;
}
