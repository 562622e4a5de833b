import type { WaitingReason } from '@signalbox/contract/tasks';

/** A task that a runner has in hand, or that waits for a person's confirmation. */
export type ActiveTask = {
  readonly id: number;
  readonly templateId: number;
  readonly projectId: number;
  readonly runnerId: number | null;
  readonly instance: string | null;
  /** False while it waits for a confirmation: it keeps its template busy and holds no slot. */
  readonly holdsSlot: boolean;
};

/** A task in a template's line. The rows of one template come in the order of their ids. */
export type WaitingTask = {
  readonly id: number;
  readonly templateId: number;
  readonly projectId: number;
  /** 0 = unlimited. */
  readonly projectLimit: number;
  readonly runnerTag: string | null;
  readonly parallel: boolean;
};

/** A runner process that is online. */
export type OnlineRunner = {
  readonly instance: string;
  /** Null for a built-in runner. */
  readonly runnerId: number | null;
  readonly projectId: number | null;
  readonly tag: string | null;
  /** Tasks that it may still take; null = no limit. */
  readonly free: number | null;
  /** Limit of its registration over all of its processes; 0 = unlimited. */
  readonly limit: number;
  /** When this server last gave it a task, as a number that counts up; 0 = not yet. */
  readonly lastGiven?: number;
  /** It waits for work at this very server. Others only count as an answer to "is there one at all". */
  readonly isHere: boolean;
};

export type Queue = {
  readonly active: readonly ActiveTask[];
  readonly waiting: readonly WaitingTask[];
  readonly runners: readonly OnlineRunner[];
  /** Tasks at a time over all projects; 0 = unlimited. */
  readonly serverLimit: number;
  /** By project, when a task of it was last started, as a number that counts up; one that is not here is before all others. */
  readonly turns?: ReadonlyMap<number, number>;
};

export type Choice = {
  readonly starts: readonly { readonly taskId: number; readonly instance: string }[];
  /** What must go on waiting, and why. A task that another server's runner may take is in neither list. */
  readonly passed: readonly { readonly taskId: number; readonly reason: WaitingReason }[];
};

/** What counts against the limits, kept up to date while tasks are chosen. */
type Load = {
  server: number;
  readonly projects: Map<number, number>;
  /** Active tasks by template. */
  readonly templates: Map<number, number[]>;
  readonly instances: Map<string, number>;
  /** Tasks that each process has in hand, with those that start now. */
  readonly held: Map<string, number>;
  readonly runners: Map<number, number>;
  readonly inProject: Map<number, number[]>;
  /** Whose turn it was, by project. */
  readonly turns: Map<number, number>;
  lastTurn: number;
};

const maxBlockers = 5;

/**
 * Decides which waiting tasks start now, and where. Pure: the claim reads, asks this, and compare-and-sets.
 *
 * The line of a template is first in, first out: a head that cannot start blocks its template and nothing else. Between
 * projects the one with the fewest running tasks goes first, and among equals the one whose turn is longest ago, so a project
 * with a thousand waiting tasks does not starve another one with a single task, even where one task runs at a time.
 */
export function chooseTasks(queue: Queue): Choice {
  const load = measureLoad(queue);
  const starts: { taskId: number; instance: string }[] = [];
  const passed: { taskId: number; reason: WaitingReason }[] = [];
  const blocked = new Map<number, WaitingReason | undefined>();
  const lines = splitByProject(queue.waiting);
  for (;;) {
    const task = takeNext(lines, load);
    if (task === undefined) return { starts, passed };
    const verdict = blocked.has(task.templateId) ? { reason: blocked.get(task.templateId) } : judge(task, queue, load);
    if ('instance' in verdict) {
      starts.push({ taskId: task.id, instance: verdict.instance });
      addStart(load, task, verdict);
    } else {
      blocked.set(task.templateId, verdict.reason);
      if (verdict.reason !== undefined) passed.push({ taskId: task.id, reason: verdict.reason });
    }
  }
}

/** Whether a runner may serve a task: its project or all of them, and exactly its tag. A task without a tag needs none. */
export function mayServe(
  runner: Pick<OnlineRunner, 'projectId' | 'tag'>,
  task: Pick<WaitingTask, 'projectId' | 'runnerTag'>,
): boolean {
  const isOfProject = runner.projectId === null || runner.projectId === task.projectId;
  return isOfProject && (runner.tag ?? '') === (task.runnerTag ?? '');
}

function measureLoad({ active, turns }: Queue): Load {
  const load: Load = {
    server: 0,
    projects: new Map(),
    templates: new Map(),
    instances: new Map(),
    held: new Map(),
    runners: new Map(),
    inProject: new Map(),
    turns: new Map(turns),
    lastTurn: Math.max(0, ...(turns?.values() ?? [])),
  };
  for (const task of active) {
    append(load.templates, task.templateId, task.id);
    if (!task.holdsSlot) continue;
    load.server += 1;
    if (task.instance !== null) increase(load.held, task.instance);
    increase(load.projects, task.projectId);
    append(load.inProject, task.projectId, task.id);
    if (task.runnerId !== null) increase(load.runners, task.runnerId);
  }
  return load;
}

function addStart(load: Load, task: WaitingTask, chosen: { instance: string; runnerId: number | null }): void {
  append(load.templates, task.templateId, task.id);
  load.server += 1;
  load.lastTurn += 1;
  load.turns.set(task.projectId, load.lastTurn);
  increase(load.projects, task.projectId);
  append(load.inProject, task.projectId, task.id);
  increase(load.instances, chosen.instance);
  increase(load.held, chosen.instance);
  if (chosen.runnerId !== null) increase(load.runners, chosen.runnerId);
}

function increase<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function append(lists: Map<number, number[]>, key: number, id: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [id]);
  else list.push(id);
}

type Line = { projectId: number; tasks: WaitingTask[]; position: number };

function splitByProject(waiting: readonly WaitingTask[]): Line[] {
  const lines = new Map<number, Line>();
  for (const task of [...waiting].sort((a, b) => a.id - b.id)) {
    const line = lines.get(task.projectId);
    if (line === undefined) lines.set(task.projectId, { projectId: task.projectId, tasks: [task], position: 0 });
    else line.tasks.push(task);
  }
  return [...lines.values()];
}

/** The oldest task of the project with the fewest running tasks; among equals of the one whose turn is longest ago. */
function takeNext(lines: Line[], load: Load): WaitingTask | undefined {
  let best: Line | undefined;
  for (const line of lines) {
    if (line.position < line.tasks.length && (best === undefined || goesBefore(line, best, load))) best = line;
  }
  if (best === undefined) return undefined;
  best.position += 1;
  return best.tasks[best.position - 1];
}

function goesBefore(line: Line, other: Line, load: Load): boolean {
  const fewer = (load.projects.get(line.projectId) ?? 0) - (load.projects.get(other.projectId) ?? 0);
  if (fewer !== 0) return fewer < 0;
  const earlier = (load.turns.get(line.projectId) ?? 0) - (load.turns.get(other.projectId) ?? 0);
  if (earlier !== 0) return earlier < 0;
  return (line.tasks[line.position]?.id ?? 0) < (other.tasks[other.position]?.id ?? 0);
}

type Verdict = { instance: string; runnerId: number | null } | { reason: WaitingReason | undefined };

function judge(task: WaitingTask, queue: Queue, load: Load): Verdict {
  const able = queue.runners.filter((runner) => mayServe(runner, task));
  if (able.length === 0) return { reason: noRunner(task) };
  const busy = load.templates.get(task.templateId);
  if (!task.parallel && busy !== undefined) return { reason: templateBusy(busy) };
  const ofProject = load.projects.get(task.projectId) ?? 0;
  if (task.projectLimit > 0 && ofProject >= task.projectLimit) {
    return { reason: projectFull(task.projectLimit, load.inProject.get(task.projectId) ?? []) };
  }
  if (queue.serverLimit > 0 && load.server >= queue.serverLimit) return { reason: serverFull(queue.serverLimit) };
  const runner = pickRunner(able, load);
  if (runner !== undefined) return { instance: runner.instance, runnerId: runner.runnerId };
  return { reason: able.some((other) => !other.isHere) ? undefined : runnerFull(able.length) };
}

/**
 * A runner of the project before one of all projects, then the one with the fewest tasks in hand, then the one that has waited
 * longest for one: short tasks, one after the other, go round.
 */
function pickRunner(able: readonly OnlineRunner[], load: Load): OnlineRunner | undefined {
  let best: OnlineRunner | undefined;
  for (const runner of able) {
    if (!runner.isHere || !hasSlot(runner, load)) continue;
    if (best === undefined || isBetter(runner, best, load)) best = runner;
  }
  return best;
}

function isBetter(runner: OnlineRunner, best: OnlineRunner, load: Load): boolean {
  const isOwn = runner.projectId !== null;
  if (isOwn !== (best.projectId !== null)) return isOwn;
  const isFreer = (load.held.get(runner.instance) ?? 0) - (load.held.get(best.instance) ?? 0);
  return isFreer === 0 ? (runner.lastGiven ?? 0) < (best.lastGiven ?? 0) : isFreer < 0;
}

function hasSlot(runner: OnlineRunner, load: Load): boolean {
  if (runner.free !== null && (load.instances.get(runner.instance) ?? 0) >= runner.free) return false;
  if (runner.runnerId === null || runner.limit === 0) return true;
  return (load.runners.get(runner.runnerId) ?? 0) < runner.limit;
}

function noRunner(task: WaitingTask): WaitingReason {
  const which = task.runnerTag ? `No runner with the tag "${task.runnerTag}" is online` : 'No runner is online';
  return { code: 'no_runner', text: which, blockers: [] };
}

function templateBusy(blockers: readonly number[]): WaitingReason {
  const first = blockers.slice(0, maxBlockers);
  return { code: 'template_busy', text: `Waits for ${listTasks(first)} of the same template`, blockers: first };
}

function projectFull(limit: number, blockers: readonly number[]): WaitingReason {
  return {
    code: 'project_full',
    text: `The project runs its limit of ${countTasks(limit)} at a time`,
    blockers: blockers.slice(0, maxBlockers),
  };
}

function serverFull(limit: number): WaitingReason {
  return { code: 'server_full', text: `The server runs its limit of ${countTasks(limit)} at a time`, blockers: [] };
}

function runnerFull(count: number): WaitingReason {
  const text = count === 1 ? 'Its runner has no free slot' : 'All runners that may take it are full';
  return { code: 'runner_full', text, blockers: [] };
}

const listTasks = (ids: readonly number[]): string => ids.map((id) => `#${id}`).join(', ');
const countTasks = (count: number): string => (count === 1 ? '1 task' : `${count} tasks`);
