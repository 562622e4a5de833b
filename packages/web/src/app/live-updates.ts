import type { ServerMessage } from '@signalbox/contract/live';
import { isFinal } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import type { Query, QueryClient, QueryKey } from '@tanstack/react-query';
import { projectKey } from '../lib/query-keys.ts';
import { projectsQuery } from '../lib/session.ts';
import type { LiveSocket } from '../lib/socket.ts';
import { taskKeys } from '../lib/task-queries.ts';

/** The part of the connection that updates need. */
type LiveSource = Pick<LiveSocket, 'state' | 'listen' | 'watchState'>;
type Update = Extract<ServerMessage, { type: 'update' }>;

/** Changes within this time are fetched once: a script may make a hundred. */
const gatherMs = 250;

/** What shows the objects of a project, by the name that a message gives them. */
const shownIn: Record<string, readonly string[]> = {
  keys: ['keys'],
  repositories: ['repositories'],
  inventory: ['inventories'],
  environment: ['environments', 'environment'],
  templates: ['templates', 'template', 'tasks'],
};

/** Lets live messages change what is cached, so that every screen that shows it follows. Returns the end of it. */
export function followLiveUpdates(queryClient: QueryClient, socket: LiveSource): () => void {
  let wasCut = false;
  const changes = new ChangeGatherer(queryClient);
  const stopListening = socket.listen((message) => {
    if (message.type === 'update') applyUpdate(queryClient, message);
    if (message.type === 'changed') changes.add(listKeys(message.project_id, message.object));
  });
  const stopWatching = socket.watchState(() => {
    // What happened during the cut was said to nobody.
    if (socket.state === 'live' && wasCut) void queryClient.invalidateQueries({ queryKey: ['project'] });
    wasCut = socket.state === 'lost';
  });
  return () => {
    stopListening();
    stopWatching();
    changes.stop();
  };
}

/** Every change is an event too. An object that is not known here may be shown anywhere in its project. */
function listKeys(projectId: number, object: string): QueryKey[] {
  const places = shownIn[object];
  if (places !== undefined) return [...places, 'events'].map((place) => projectKey(projectId, place));
  return object === 'project' ? [projectKey(projectId), projectsQuery.queryKey] : [projectKey(projectId)];
}

/** Keys of what has changed, fetched together a moment later. */
class ChangeGatherer {
  readonly #queryClient: QueryClient;
  readonly #keys = new Map<string, QueryKey>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
  }

  add(keys: readonly QueryKey[]): void {
    for (const key of keys) this.#keys.set(JSON.stringify(key), key);
    this.#timer ??= setTimeout(() => this.#fetch(), gatherMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #fetch(): void {
    this.#timer = undefined;
    for (const queryKey of this.#keys.values()) {
      fetchAfterFirst(this.#queryClient, queryKey);
      void this.#queryClient.invalidateQueries({ queryKey });
    }
    this.#keys.clear();
  }
}

/** A first answer that is on its way may be older than the message, and an invalidation does not ask for it once more. */
function fetchAfterFirst(queryClient: QueryClient, queryKey: QueryKey): void {
  const isFirst = ({ state }: Query): boolean => state.data === undefined;
  for (const query of queryClient.getQueryCache().findAll({ queryKey, fetchStatus: 'fetching', predicate: isFirst })) {
    query.promise?.then(
      () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      () => undefined, // whoever shows it shows why it failed
    );
  }
}

function applyUpdate(queryClient: QueryClient, update: Update): void {
  const { project_id: projectId, task_id: taskId } = update;
  const places = [taskKeys.one(projectId, taskId), taskKeys.lists(projectId), taskKeys.templates(projectId)];
  for (const place of places) fetchAfterFirst(queryClient, place);
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
