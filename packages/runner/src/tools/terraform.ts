import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@signalbox/contract/job';
import { interruptOnce } from '../process/escalation.ts';
import { TaskFailure } from '../task-failure.ts';
import { type Adapter, plainStep, type Review, type Room, type Step } from './adapter.ts';
import { readTerraformPlan } from './terraform-plan.ts';

const names = { variables: 'variables.tfvars.json', plan: 'plan.bin', changes: 'plan.json' };
/** A plan in words of JSON that is longer than this would hold up the logs of other tasks while it is read. */
const longestChanges = 64 * 1024 * 1024;
/** Place of `plan` among the steps, counted from the end: `show` comes after it. */
const planFromEnd = -2;

/** Name of the workspace that the inventory stands for. @throws TaskFailure for what is no name, or would be an option */
function workspaceOf(job: Job): string {
  const name = job.inventory?.type.endsWith('-workspace') ? job.inventory.content.trim() : '';
  if (name === '') return 'default';
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.~-]*$/.test(name))
    throw new TaskFailure(`"${name}" cannot be the name of a workspace`);
  return name;
}

/** Set by the environment, because an argument can be read by everybody. */
function listStateVariables(state: Room['state']): Record<string, string> {
  if (state === null) return {};
  const lock = `${state.address}/lock`;
  return {
    TF_HTTP_ADDRESS: state.address,
    TF_HTTP_LOCK_ADDRESS: lock,
    TF_HTTP_LOCK_METHOD: 'POST',
    TF_HTTP_UNLOCK_ADDRESS: lock,
    TF_HTTP_UNLOCK_METHOD: 'DELETE',
    TF_HTTP_USERNAME: state.username,
    TF_HTTP_PASSWORD: state.password,
    // A server that is being restarted is no reason to lose a state.
    TF_HTTP_RETRY_MAX: '30',
    TF_HTTP_RETRY_WAIT_MIN: '1',
    TF_HTTP_RETRY_WAIT_MAX: '10',
  };
}

function makeSteps(job: Job, room: Room) {
  const env = {
    TF_PLUGIN_CACHE_DIR: room.toolCache,
    // Without it the cache is passed over for code that has no lock file.
    TF_PLUGIN_CACHE_MAY_BREAK_DEPENDENCY_LOCK_FILE: 'true',
    CHECKPOINT_DISABLE: '1',
    ...room.env,
    ...listStateVariables(room.state),
    TF_IN_AUTOMATION: '1',
    TF_INPUT: '0',
  };
  const place = { ...plainStep, file: room.command, env, cwd: join(room.tree, room.playbook) };
  return (title: string, args: string[], more: Partial<Step> = {}): Step => ({
    ...place,
    title,
    args: [...(job.app.args ?? []), ...args],
    ...more,
  });
}

function listSteps(job: Job, room: Room): Step[] {
  const step = makeSteps(job, room);
  const { upgrade, reconfigure, destroy } = job.params;
  const workspace = workspaceOf(job);
  const init = [...(upgrade ? ['-upgrade'] : []), ...(reconfigure ? ['-reconfigure'] : [])];
  const select = ['workspace', 'select', '-or-create=true', workspace];
  const plan = [
    'plan',
    '-input=false',
    '-detailed-exitcode',
    `-out=${room.pathOf(names.plan)}`,
    `-var-file=${room.pathOf(names.variables)}`,
    ...(destroy ? ['-destroy'] : []),
    ...job.arguments,
  ];
  const changes = room.pathOf(names.changes);
  return [
    // It may wait for a backend that does not answer, and does not listen to an interrupt then.
    step('Initialising the working directory', ['init', '-input=false', ...init], { losesNothing: true }),
    // In a state of ours the workspace is a part of the address.
    ...(workspace === 'default' || room.state !== null ? [] : [step(`Selecting the workspace ${workspace}`, select)]),
    step(destroy ? 'Planning to destroy everything' : 'Planning', plan, { accepts: [0, 2] }),
    step('Reading the plan', ['show', '-json', room.pathOf(names.plan)], { capture: changes, losesNothing: true }),
  ];
}

function review(job: Job, room: Room): Review {
  const step = makeSteps(job, room);
  const { plan, auto_approve, destroy } = job.params;
  return {
    readPlan: (exitCodes) => {
      if (exitCodes.at(planFromEnd) === 0) return null;
      const file = room.pathOf(names.changes);
      if (statSync(file).size > longestChanges) throw new TaskFailure('The plan is too large to be shown');
      return readTerraformPlan(readFileSync(file, 'utf8'));
    },
    endsHere: plan,
    isApproved: auto_approve,
    apply: [
      step(destroy ? 'Destroying what was planned' : 'Applying the plan', [
        'apply',
        '-input=false',
        room.pathOf(names.plan),
      ]),
    ],
  };
}

function makeTerraformAdapter(command: string): Adapter {
  return {
    commands: [command],
    place: 'directory',
    // A second signal makes it leave without writing its state.
    stop: interruptOnce,
    listFiles: (job) => [
      { name: names.variables, content: JSON.stringify({ ...job.variables, ...job.secret_variables }) },
    ],
    listSteps,
    review,
  };
}

export const terraform = makeTerraformAdapter('terraform');
export const tofu = makeTerraformAdapter('tofu');
