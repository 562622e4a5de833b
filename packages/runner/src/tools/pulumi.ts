import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job } from '@signalbox/contract/job';
import { interruptOnce } from '../process/escalation.ts';
import { TaskFailure } from '../task-failure.ts';
import { type Adapter, plainStep, type Review, type Room, type Step, type TaskFile } from './adapter.ts';
import { readPulumiPlan, readPulumiPreview } from './pulumi-plan.ts';

const names = { plan: 'plan.json', preview: 'preview.json', config: 'stack.yaml' };
const valueName = (index: number): string => `value-${index}`;

/** Every variable, with whether it is secret; in one order, so that its number names its file. */
function listVariables(job: Job): { name: string; value: string; isSecret: boolean }[] {
  const render = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  const plain = Object.keys(job.variables).filter((name) => !Object.hasOwn(job.secret_variables, name));
  return [
    ...plain.sort().map((name) => ({ name, value: render(job.variables[name]), isSecret: false })),
    ...Object.keys(job.secret_variables)
      .sort()
      .map((name) => ({ name, value: job.secret_variables[name] ?? '', isSecret: true })),
  ];
}

/** Each value in a file of its own: it is given to Pulumi by standard input, where nobody can read it. */
function listFiles(job: Job): TaskFile[] {
  return listVariables(job).map(({ value }, index) => ({ name: valueName(index), content: value }));
}

/** @throws TaskFailure when none is named: to guess one would be to change somebody else's */
function stackOf(job: Job): string {
  const stack = job.inventory?.content.trim() ?? '';
  if (stack === '')
    throw new TaskFailure("No stack is named: give the template an inventory that holds the stack's name");
  if (!/^[A-Za-z0-9_][\w./-]*$/.test(stack)) throw new TaskFailure(`"${stack}" cannot be the name of a stack`);
  return stack;
}

function makeSteps(job: Job, room: Room) {
  const env = {
    PULUMI_HOME: room.toolCache,
    ...room.env,
    PULUMI_SKIP_UPDATE_CHECK: 'true',
    // A saved plan is what makes the run the one that was confirmed.
    PULUMI_EXPERIMENTAL: 'true',
  };
  const place = { ...plainStep, file: room.command, env, cwd: join(room.tree, room.playbook) };
  const general = [`--stack=${stackOf(job)}`, '--non-interactive'];
  return (title: string, command: string[], args: string[], more: Partial<Step> = {}): Step => ({
    ...place,
    title,
    args: [...(job.app.args ?? []), ...command, ...general, ...args],
    ...more,
  });
}

function listConfigSteps(job: Job, room: Room): Step[] {
  const step = makeSteps(job, room);
  return listVariables(job).map(({ name, isSecret }, index) =>
    step(
      `Setting the variable ${name}`,
      ['config', 'set'],
      [`--config-file=${room.pathOf(names.config)}`, isSecret ? '--secret' : '--plaintext', '--', name],
      { input: room.pathOf(valueName(index)) },
    ),
  );
}

/** The task's own copy of the stack's configuration; without variables the one of the repository serves. */
function listConfigArguments(job: Job, room: Room): string[] {
  return listVariables(job).length === 0 ? [] : [`--config-file=${room.pathOf(names.config)}`];
}

function listSteps(job: Job, room: Room): Step[] {
  const step = makeSteps(job, room);
  const config = listConfigArguments(job, room);
  const select: Step = {
    ...step('', [], []),
    title: `Selecting the stack ${stackOf(job)}`,
    args: [...(job.app.args ?? []), 'stack', 'select', '--create', '--non-interactive', '--', stackOf(job)],
  };
  const preview = job.params.destroy
    ? [
        step('Previewing what would be destroyed', ['destroy'], ['--preview-only', ...config, ...job.arguments]),
        step('Reading the preview', ['destroy'], ['--preview-only', '--json', ...config, ...job.arguments], {
          capture: room.pathOf(names.preview),
        }),
      ]
    : [
        step(
          'Previewing',
          ['preview'],
          ['--diff', `--save-plan=${room.pathOf(names.plan)}`, ...config, ...job.arguments],
        ),
      ];
  return [select, ...listConfigSteps(job, room), ...preview];
}

function review(job: Job, room: Room): Review {
  const step = makeSteps(job, room);
  const { plan, auto_approve, destroy } = job.params;
  const rest = ['--yes', '--skip-preview', ...listConfigArguments(job, room)];
  return {
    readPlan: () => {
      const found = destroy
        ? readPulumiPreview(readFileSync(room.pathOf(names.preview), 'utf8'))
        : readPulumiPlan(readFileSync(room.pathOf(names.plan), 'utf8'));
      return found.changes.length === 0 ? null : found;
    },
    endsHere: plan,
    isApproved: auto_approve,
    apply: [
      destroy
        ? step('Destroying what was previewed', ['destroy'], [...rest, ...job.arguments])
        : step('Applying the preview', ['up'], [...rest, `--plan=${room.pathOf(names.plan)}`, ...job.arguments]),
    ],
  };
}

export const pulumi: Adapter = {
  commands: ['pulumi'],
  place: 'directory',
  stop: interruptOnce,
  listFiles,
  listSteps,
  review,
};
