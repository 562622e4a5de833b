import { describe, expect, test } from 'vitest';
import {
  type ActiveTask,
  chooseTasks,
  mayServe,
  type OnlineRunner,
  type Queue,
  type WaitingTask,
} from './choose-tasks.ts';

const builtIn: OnlineRunner = {
  instance: 'built-in',
  runnerId: null,
  projectId: null,
  tag: null,
  free: null,
  limit: 0,
  isHere: true,
};

function waiting(id: number, templateId: number, more: Partial<WaitingTask> = {}): WaitingTask {
  return { id, templateId, projectId: 1, projectLimit: 0, runnerTag: null, parallel: false, ...more };
}
function active(id: number, templateId: number, more: Partial<ActiveTask> = {}): ActiveTask {
  return { id, templateId, projectId: 1, runnerId: null, instance: 'built-in', holdsSlot: true, ...more };
}
function choose(queue: Partial<Queue>) {
  const choice = chooseTasks({ active: [], waiting: [], runners: [builtIn], serverLimit: 0, ...queue });
  return {
    starts: choice.starts.map((start) => start.taskId),
    runners: choice.starts.map((start) => start.instance),
    reasons: Object.fromEntries(choice.passed.map(({ taskId, reason }) => [taskId, reason.code])),
    passed: choice.passed,
  };
}

describe('a template', () => {
  test('runs one task at a time, in the order of creation', () => {
    const { starts, reasons } = choose({ waiting: [waiting(2, 1), waiting(1, 1), waiting(3, 1)] });
    expect(starts).toEqual([1]);
    expect(reasons).toEqual({ 2: 'template_busy', 3: 'template_busy' });
  });

  test('names the task that is in the way', () => {
    const { passed } = choose({ active: [active(7, 1)], waiting: [waiting(8, 1)] });
    expect(passed[0]?.reason).toEqual({
      code: 'template_busy',
      text: 'Waits for #7 of the same template',
      blockers: [7],
    });
  });

  test('runs tasks side by side where that is allowed', () => {
    const tasks = [1, 2, 3].map((id) => waiting(id, 1, { parallel: true }));
    expect(choose({ waiting: tasks }).starts).toEqual([1, 2, 3]);
  });

  test('stays busy while its task waits for a confirmation, which holds no slot', () => {
    const confirming = active(1, 1, { holdsSlot: false });
    const { starts, reasons } = choose({
      active: [confirming],
      waiting: [waiting(2, 1), waiting(3, 2)],
      serverLimit: 1,
    });
    expect(starts).toEqual([3]);
    expect(reasons).toEqual({ 2: 'template_busy' });
  });

  test('that is blocked blocks no other template', () => {
    expect(choose({ active: [active(1, 1)], waiting: [waiting(2, 1), waiting(3, 2)] }).starts).toEqual([3]);
  });

  test('whose head needs another runner does not let a later task pass it', () => {
    const line = [waiting(1, 1, { runnerTag: 'gpu', parallel: true }), waiting(2, 1, { parallel: true })];
    expect(choose({ waiting: line }).starts).toEqual([]);
  });
});

describe('the limits', () => {
  test('of the server holds over all projects', () => {
    const tasks = [1, 2, 3].map((id) => waiting(id, id, { projectId: id }));
    const { starts, reasons } = choose({ active: [active(9, 9)], waiting: tasks, serverLimit: 3 });
    expect(starts).toEqual([2, 3]);
    expect(reasons).toEqual({ 1: 'server_full' });
  });

  test('of a project counts what is active and what starts now', () => {
    const tasks = [2, 3, 4].map((id) => waiting(id, id, { projectLimit: 2 }));
    const { starts, reasons, passed } = choose({ active: [active(1, 1)], waiting: tasks });
    expect(starts).toEqual([2]);
    expect(reasons).toEqual({ 3: 'project_full', 4: 'project_full' });
    expect(passed[0]?.reason.blockers).toEqual([1, 2]);
  });

  test('of 0 are none', () => {
    const tasks = Array.from({ length: 500 }, (_, index) => waiting(index + 1, index + 1));
    expect(choose({ waiting: tasks, serverLimit: 0 }).starts).toHaveLength(500);
  });

  test('of a runner process are its free slots', () => {
    const tasks = [1, 2, 3].map((id) => waiting(id, id));
    const { starts, reasons } = choose({ waiting: tasks, runners: [{ ...builtIn, free: 2 }] });
    expect(starts).toEqual([1, 2]);
    expect(reasons).toEqual({ 3: 'runner_full' });
  });

  test('of a registration count over all of its processes', () => {
    const runner = { ...builtIn, instance: 'a', runnerId: 5, limit: 2 };
    const old = active(1, 1, { runnerId: 5, instance: 'draining' });
    const { starts, reasons } = choose({ active: [old], waiting: [waiting(2, 2), waiting(3, 3)], runners: [runner] });
    expect(starts).toEqual([2]);
    expect(reasons).toEqual({ 3: 'runner_full' });
  });
});

describe('projects', () => {
  test('take turns, the one with the fewest running tasks first', () => {
    const many = [1, 2, 3, 4].map((id) => waiting(id, id, { projectId: 1 }));
    const few = [5, 6].map((id) => waiting(id, id, { projectId: 2 }));
    expect(choose({ waiting: [...many, ...few], serverLimit: 4 }).starts).toEqual([1, 5, 2, 6]);
    const busy = [active(90, 90), active(91, 91)];
    expect(choose({ active: busy, waiting: [...many, ...few], serverLimit: 4 }).starts).toEqual([5, 6]);
  });

  test('take turns where one task runs at a time, too: the one whose turn is longest ago goes first', () => {
    const line = [1, 2, 3].map((id) => waiting(id, id, { projectId: 1 }));
    const late = waiting(9, 9, { projectId: 2 });
    const turns = new Map([
      [1, 8],
      [3, 9],
    ]);
    expect(choose({ waiting: [...line, late], serverLimit: 1, turns }).starts).toEqual([9]);
    turns.set(2, 10);
    expect(choose({ waiting: [...line, late], serverLimit: 1, turns }).starts).toEqual([1]);
  });
});

describe('runners', () => {
  const cases: [string, Partial<OnlineRunner>, Partial<WaitingTask>, boolean][] = [
    ['the built-in runner serves a task without a tag', {}, {}, true],
    ['the built-in runner serves no task with a tag', {}, { runnerTag: 'gpu' }, false],
    ['an empty tag is none', {}, { runnerTag: '' }, true],
    ['a tagged runner serves its tag', { tag: 'gpu' }, { runnerTag: 'gpu' }, true],
    ['a tagged runner serves no other tag', { tag: 'gpu' }, { runnerTag: 'arm' }, false],
    ['a tagged runner serves no task without a tag', { tag: 'gpu' }, {}, false],
    ['a project runner serves its project', { projectId: 1, tag: 'x' }, { runnerTag: 'x' }, true],
    ['a project runner serves no other project', { projectId: 2, tag: 'x' }, { runnerTag: 'x' }, false],
  ];
  test.each(cases)('%s', (_name, runner, task, expected) => {
    expect(mayServe({ ...builtIn, ...runner }, waiting(1, 1, task))).toBe(expected);
  });

  test('that do not exist are named by their tag', () => {
    const { passed } = choose({ waiting: [waiting(1, 1, { runnerTag: 'gpu' })] });
    expect(passed[0]?.reason.text).toBe('No runner with the tag "gpu" is online');
    expect(choose({ waiting: [waiting(1, 1)], runners: [] }).reasons).toEqual({ 1: 'no_runner' });
  });

  test('of the project come before those of all projects, and share the work', () => {
    const tag = { tag: 'x' };
    const runners = [
      { ...builtIn, ...tag, instance: 'global' },
      { ...builtIn, ...tag, instance: 'own-a', projectId: 1 },
      { ...builtIn, ...tag, instance: 'own-b', projectId: 1, free: 1 },
    ];
    const tasks = [1, 2, 3].map((id) => waiting(id, id, { runnerTag: 'x' }));
    expect(choose({ waiting: tasks, runners }).runners).toEqual(['own-a', 'own-b', 'own-a']);
  });

  test('that are alike share short tasks, one after the other, too', () => {
    const last = new Map([['a', 0]]);
    const order = [1, 2, 3, 4, 5, 6].map((id) => {
      const runners = ['a', 'b', 'c'].map((instance) => ({ ...builtIn, instance, lastGiven: last.get(instance) ?? 0 }));
      const [instance = ''] = choose({ waiting: [waiting(id, id)], runners }).runners;
      last.set(instance, id);
      return instance;
    });
    expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('with fewer tasks in hand come first', () => {
    const runners = ['a', 'b'].map((instance) => ({ ...builtIn, instance }));
    const busy = [active(1, 1, { instance: 'a' })];
    expect(choose({ active: busy, waiting: [waiting(9, 9)], runners }).runners).toEqual(['b']);
  });

  test('at another server take their tasks there: nothing starts here, and nothing is said to be wrong', () => {
    const { starts, passed } = choose({ waiting: [waiting(1, 1)], runners: [{ ...builtIn, isHere: false }] });
    expect(starts).toEqual([]);
    expect(passed).toEqual([]);
  });
});
