import type { ServerMessage } from '@signalbox/contract/live';
import { isFinal } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import type { Query, QueryClient, QueryFilters, QueryKey } from '@tanstack/react-query';
import type { LiveSocket } from '../lib/socket.ts';
import { taskKeys } from '../lib/task-queries.ts';

/** The part of the connection that updates need. */
type LiveSource = Pick<LiveSocket, 'state' | 'listen' | 'watchState'>;
type Update = Extract<ServerMessage, { type: 'update' }>;

/** Changes within this time are fetched once: a script may make a hundred. */
const gatherMs = 250;
/** A connection that takes longer to open may have missed something. */
const connectingMs = 500;
/** How often what is shown is asked for while nobody tells of changes. */
const pollMs = 5000;

/**
 * What a change leads to. Machines change some objects every minute, and a task is told of by updates of its own: for these the
 * beginnings of the keys under which they are cached. After any other change all of the project is fetched but its tasks, since
 * names of one object stand in the lists of others.
 */
const shownIn: Record<string, readonly string[]> = {
  schedules: ['schedule', 'events'],
  integrations: ['integration', 'deliver', 'events'],
  states: ['state', 'workspace', 'inventor', 'terraform', 'events'],
  tasks: ['task', 'template', 'stat', 'events'],
};
/** Objects whose names stand in lists of tasks. */
const namedByTasks = new Set(['templates', 'users', 'project']);

/** Lets live messages change what is cached, so that every screen that shows it follows. Returns the end of it. */
export function followLiveUpdates(queryClient: QueryClient, socket: LiveSource): () => void {
  let wasCut = false;
  let isFirst = true;
  let polling: ReturnType<typeof setInterval> | undefined;
  const changes = new ChangeGatherer(queryClient);
  const stopListening = socket.listen((message) => {
    if (message.type === 'update') {
      applyUpdate(queryClient, message);
      changes.add(`${message.project_id} of tasks, ${isFinal(message.status)}`, isCountedIn(message));
    }
    if (message.type === 'changed') {
      const { project_id: projectId, object } = message;
      changes.add(`${projectId} ${object}`, projectId === null ? isOfNoProject : isTouchedBy(projectId, object));
    }
  });
  const stopWatching = socket.watchState(() => {
    clearInterval(polling);
    // What happened during the cut was said to nobody.
    if (socket.state === 'live' && wasCut) void queryClient.invalidateQueries();
    else if (socket.state === 'live' && isFirst) void queryClient.invalidateQueries({ predicate: isOlder });
    if (socket.state === 'live') isFirst = false;
    wasCut = socket.state === 'lost';
    if (wasCut) polling = setInterval(() => pollShown(queryClient), pollMs);
  });
  return () => {
    stopListening();
    stopWatching();
    clearInterval(polling);
    changes.stop();
  };
}

/** What was fetched well before the connection was there may have changed meanwhile. */
function isOlder({ state: { dataUpdatedAt } }: Query): boolean {
  return dataUpdatedAt > 0 && dataUpdatedAt < Date.now() - connectingMs;
}

/** Asks for all that is on the screen, unless nobody looks at it. */
function pollShown(queryClient: QueryClient): void {
  if (globalThis.document?.visibilityState === 'hidden') return;
  const asksByItself = ({ observers }: Query): boolean =>
    observers.some(({ options }) => Boolean(options.refetchInterval));
  void queryClient.invalidateQueries(
    { type: 'active', predicate: (query) => !asksByItself(query) },
    { cancelRefetch: false },
  );
}

type IsTouched = (key: QueryKey) => boolean;

/** Users, apps, runners, projects and what else no project has; and the reader's role in each, which comes with those. */
const isOfNoProject: IsTouched = ([scope, , place]) => scope !== 'project' || place === 'role';

function isTouchedBy(projectId: number, object: string): IsTouched {
  const places = shownIn[object];
  return ([scope, id, place]) => {
    if (scope !== 'project' || id !== projectId || typeof place !== 'string') return false;
    if (places !== undefined) return places.some((start) => place.startsWith(start));
    return namedByTasks.has(object) || (place !== 'tasks' && place !== 'task');
  };
}

/** Every start and end of a task is an event too, and an end counts in the statistics. */
function isCountedIn({ project_id: projectId, status }: Update): IsTouched {
  return ([scope, id, place]) =>
    (scope === 'project' && id === projectId && (place === 'events' || (place === 'stats' && isFinal(status)))) ||
    place === 'active-tasks';
}

/** What has changed, fetched together a moment later. */
class ChangeGatherer {
  readonly #queryClient: QueryClient;
  readonly #changes = new Map<string, IsTouched>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(queryClient: QueryClient) {
    this.#queryClient = queryClient;
  }

  /** @param name of two changes with the same one only the last is looked at */
  add(name: string, isTouched: IsTouched): void {
    this.#changes.set(name, isTouched);
    this.#timer ??= setTimeout(() => this.#fetch(), gatherMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #fetch(): void {
    this.#timer = undefined;
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    const filters = { predicate: ({ queryKey }: Query) => changes.some((isTouched) => isTouched(queryKey)) };
    fetchAfterFirst(this.#queryClient, filters);
    void this.#queryClient.invalidateQueries(filters);
  }
}

/** A first answer that is on its way may be older than the message, and an invalidation does not ask for it once more. */
function fetchAfterFirst(queryClient: QueryClient, filters: QueryFilters): void {
  const underWay = queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' });
  for (const query of underWay.filter(({ state }) => state.data === undefined)) {
    query.promise?.then(
      () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }),
      () => undefined, // whoever shows it shows why it failed
    );
  }
}

function applyUpdate(queryClient: QueryClient, update: Update): void {
  const { project_id: projectId, task_id: taskId } = update;
  const places = [taskKeys.one(projectId, taskId), taskKeys.lists(projectId), taskKeys.templates(projectId)];
  for (const queryKey of places) fetchAfterFirst(queryClient, { queryKey });
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
