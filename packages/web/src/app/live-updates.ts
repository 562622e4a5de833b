import type { ServerMessage } from '@signalbox/contract/live';
import { isFinal } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import type { QueryClient } from '@tanstack/react-query';
import { projectKey } from '../lib/query-keys.ts';
import type { LiveSocket } from '../lib/socket.ts';
import { taskKeys } from '../lib/task-queries.ts';

/** The part of the connection that updates need. */
type LiveSource = Pick<LiveSocket, 'state' | 'listen' | 'watchState'>;
type Update = Extract<ServerMessage, { type: 'update' }>;

/** Lets live messages change what is cached, so that every screen that shows it follows. Returns the end of it. */
export function followLiveUpdates(queryClient: QueryClient, socket: LiveSource): () => void {
  let wasCut = false;
  const stopListening = socket.listen((message) => {
    if (message.type === 'update') applyUpdate(queryClient, message);
    if (message.type === 'changed') void queryClient.invalidateQueries({ queryKey: projectKey(message.project_id) });
  });
  const stopWatching = socket.watchState(() => {
    // What happened during the cut was said to nobody.
    if (socket.state === 'live' && wasCut) void queryClient.invalidateQueries({ queryKey: ['project'] });
    wasCut = socket.state === 'lost';
  });
  return () => {
    stopListening();
    stopWatching();
  };
}

function applyUpdate(queryClient: QueryClient, update: Update): void {
  const { project_id: projectId, task_id: taskId } = update;
  queryClient.setQueryData<TaskItem>(taskKeys.one(projectId, taskId), (task) => task && mergeUpdate(task, update));
  queryClient.setQueriesData<Template[]>({ queryKey: taskKeys.templates(projectId) }, (templates) =>
    templates?.map((template) => mergeLastTask(template, update)),
  );
  queryClient.setQueriesData<TaskItem[]>({ queryKey: taskKeys.lists(projectId) }, (tasks) =>
    tasks?.map((task) => (task.id === taskId ? mergeUpdate(task, update) : task)),
  );
  // A message says little of a task. What is new to a list, and what a task has at its end (the commit, the reason), is fetched.
  const isWhole = update.status === 'running' || isFinal(update.status);
  if (isWhole) void queryClient.invalidateQueries({ queryKey: taskKeys.one(projectId, taskId) });
  void queryClient.invalidateQueries({
    queryKey: taskKeys.lists(projectId),
    predicate: ({ state }) => isWhole || !holdsTask(state.data, taskId),
  });
  void queryClient.invalidateQueries({
    queryKey: taskKeys.templates(projectId),
    predicate: ({ state }) => isNewestOf(state.data, update),
  });
}

function mergeUpdate(task: TaskItem, { status, start, end, version }: Update): TaskItem {
  return { ...task, status, start, end, version };
}

function mergeLastTask(template: Template, update: Update): Template {
  if (template.last_task?.id !== update.task_id) return template;
  return { ...template, last_task: mergeUpdate(template.last_task, update) };
}

function holdsTask(data: unknown, taskId: number): boolean {
  return Array.isArray(data) && data.some((task: TaskItem) => task.id === taskId);
}

/** The task is newer than the last one that its template is known to have. */
function isNewestOf(data: unknown, update: Update): boolean {
  if (!Array.isArray(data)) return false;
  const template = data.find((candidate: Template) => candidate.id === update.template_id) as Template | undefined;
  return template === undefined || (template.last_task_id ?? 0) < update.task_id;
}
