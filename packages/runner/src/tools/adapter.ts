import type { Job } from '@signalbox/contract/job';
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
  /** Absolute paths of the files of `listFiles`, by name. */
  pathOf: (name: string) => string;
  /** The environment that every process of the task gets. */
  env: Record<string, string>;
  /** Checked to be in the tree, relative to it, and no option. */
  playbook: string;
  /** Absolute path of the inventory, if there is one. */
  inventory: string | null;
  /** Scripts of vaults, checked to be in the tree, by their name in the job. */
  vaultScripts: Map<string, string>;
  requirements: Requirement[];
  /** For what clones with the repository's key. */
  gitEnv: Record<string, string>;
};

/** What a tool needs and how it is started: pure functions of the job, tested as tables. */
export type Adapter = {
  /** The program that must be there, unless an administrator has set another one. */
  command: string;
  stop: EscalationStep[];
  listFiles: (job: Job) => TaskFile[];
  listSteps: (job: Job, room: Room) => Step[];
};

export function commandOf(job: Job, adapter: Adapter): string {
  return job.app.path === '' ? adapter.command : job.app.path;
}
