import type { Job } from '@signalbox/contract/job';
import type { Plan } from '@signalbox/contract/plan';
import type { EscalationStep } from '../process/escalation.ts';

/** A file that only the task may read. Its name is ours; its content may be secret. */
export type TaskFile = { name: string; content: string };

/** One process of a task, the first argument of which is never user text that could be taken for an option. */
export type Step = {
  /** What the log says before it runs. */
  title: string;
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** Whether it clones with the repository's key. Such steps come first. */
  usesKey: boolean;
  /** A directory that the step fills, and its name once that has gone well. Where it exists, the step is skipped. */
  fills: { temporary: string; final: string; isThere: string } | null;
  /** A file that is its standard input. */
  input: string | null;
  /** A file that gets its standard output instead of the log: for what only we read. */
  capture: string | null;
  /** Exit codes that are no failure. */
  accepts: readonly number[];
  /** It changes nothing that a second signal could destroy, whatever is true of the tool's other steps. */
  losesNothing: boolean;
};

/** What most steps are like. */
export const plainStep = {
  usesKey: false,
  fills: null,
  input: null,
  capture: null,
  accepts: [0],
  losesNothing: false,
} as const;

/** For a tool that plans before it acts: what follows once the plan is known. */
export type Review = {
  /** From the exit codes of the steps before, and the files that they left. Null: nothing would change. @throws TaskFailure */
  readPlan: (exitCodes: readonly (number | null)[]) => Plan | null;
  /** The plan is all that was asked for. */
  endsHere: boolean;
  /** Nobody needs to be asked. */
  isApproved: boolean;
  /** Carries out exactly that plan. */
  apply: Step[];
};

/** A requirements file of Ansible Galaxy that was found in the tree. */
export type Requirement = {
  kind: 'collection' | 'role';
  file: string;
  cache: { temporary: string; final: string } | null;
};

/** Where the things are that were prepared for a task. */
export type Room = {
  tree: string;
  /** Absolute path of the tool. */
  command: string;
  /** Absolute paths of the files of `listFiles`, by name. */
  pathOf: (name: string) => string;
  /** The environment that every process of the task gets. */
  env: Record<string, string>;
  /** Checked to be in the tree, relative to it, and no option; for a tool that works on a directory, empty is the tree itself. */
  playbook: string;
  /** Absolute path of the inventory, if there is one. */
  inventory: string | null;
  /** Scripts of vaults, checked to be in the tree, by their name in the job. */
  vaultScripts: Map<string, string>;
  requirements: Requirement[];
  /** For what clones with the repository's key. */
  gitEnv: Record<string, string>;
  /** Where the tool may keep its state; null where the code names a place itself. */
  state: { address: string; username: string; password: string } | null;
  /** A directory that the tasks of the template share, for what the tool would download again. */
  toolCache: string;
};

/** What a tool needs and how it is started: pure functions of the job, tested as tables. */
export type Adapter = {
  /** Programs that do it, the best first; an administrator may have set another one. */
  commands: readonly [string, ...string[]];
  /** What the playbook of a template is to it. */
  place: 'file' | 'directory';
  stop: EscalationStep[];
  listFiles: (job: Job) => TaskFile[];
  listSteps: (job: Job, room: Room) => Step[];
  review?: (job: Job, room: Room) => Review;
};

export function commandsOf(job: Job, adapter: Adapter): readonly [string, ...string[]] {
  return job.app.path === '' ? adapter.commands : [job.app.path];
}

/** The tool as people know it: by its name, or by the path that an administrator has set. */
export function nameCommand(job: Job, adapter: Adapter): string {
  return job.app.path === '' ? adapter.commands[0] : job.app.path;
}
