import type { Server } from 'node:http';
import type { AuthMethods } from '@signalbox/contract/auth';
import { keepConfigurations } from './auth/oidc-configurations.ts';
import { startSessionSweep } from './auth/session-sweep.ts';
import { type Config, listVariables } from './config.ts';
import type { Database } from './db/database.ts';
import { openDatabase } from './db/open-database.ts';
import { closeDemoAccounts, openDemoAccount } from './demo/demo-account.ts';
import { fillDemoProject } from './demo/demo-project.ts';
import { prepareDemoRepository } from './demo/demo-repository.ts';
import { demoAddress } from './engine/make-job.ts';
import type { RunnerIdentity } from './engine/runner-identity.ts';
import { type Engine, startEngine } from './engine/start.ts';
import { readEngineSettings } from './engine-settings.ts';
import { activeTaskApi } from './features/active-tasks/routes.ts';
import { seedApps } from './features/apps/apps.ts';
import { appApi } from './features/apps/routes.ts';
import { authApi } from './features/auth/routes.ts';
import { backupApi } from './features/backup/routes.ts';
import { environmentApi } from './features/environments/routes.ts';
import { eventApi } from './features/events/routes.ts';
import { integrationApi } from './features/integrations/routes.ts';
import { inventoryApi } from './features/inventories/routes.ts';
import { keyApi } from './features/keys/routes.ts';
import { notificationApi } from './features/notifications/routes.ts';
import { optionApi } from './features/options/routes.ts';
import { createProject, type Demo } from './features/projects/projects.ts';
import { projectApi } from './features/projects/routes.ts';
import { repositoryApi } from './features/repositories/routes.ts';
import { runnerAdministrationApi, runnerApi } from './features/runners/routes.ts';
import { scheduleApi } from './features/schedules/routes.ts';
import { sessionApi } from './features/sessions/routes.ts';
import { singleSignOnApi } from './features/single-sign-on/routes.ts';
import { stateBackendApi } from './features/state-backend/routes.ts';
import { statsApi } from './features/stats/routes.ts';
import { systemApi } from './features/system/routes.ts';
import { taskApi } from './features/tasks/routes.ts';
import { teamApi } from './features/team/routes.ts';
import { addMember } from './features/team/team.ts';
import { templateApi } from './features/templates/routes.ts';
import { terraformApi } from './features/terraform/routes.ts';
import { tokenApi } from './features/tokens/routes.ts';
import { totpApi } from './features/totp/routes.ts';
import { userApi } from './features/users/routes.ts';
import { createFirstAdministrator, type FirstAdministrator } from './features/users/users.ts';
import { viewApi } from './features/views/routes.ts';
import { startDeliverySweep } from './features/webhooks/delivery-sweep.ts';
import { RateLimit } from './features/webhooks/rate-limit.ts';
import { webhookApi } from './features/webhooks/routes.ts';
import { workspaceApi } from './features/workspaces/routes.ts';
import { serveConsole } from './http/console-files.ts';
import { createHttp, type HttpApi } from './http/http-api.ts';
import { bindServer, closeServer, portOf } from './http/listener.ts';
import { serveOpenApi } from './http/openapi.ts';
import { serveSocket } from './http/socket.ts';
import { answerUnknownPaths } from './http/unknown-paths.ts';
import { consoleDirectory, readVersion } from './installation.ts';
import type { Logger } from './logger.ts';
import { createSender, type NotificationSender } from './notifications/sender.ts';

/** How long open requests may take when the server ends. */
const closeGraceMs = 3000;

export type App = {
  /** Where people reach it. */
  readonly url: string;
  /** Set by the start that made it: its password is shown this once. */
  readonly firstAdministrator: FirstAdministrator | undefined;
  /** Before the end: no task is handed out any more, and none is taken. */
  endWork(): Promise<void>;
  /** Tasks that the built-in runner has in hand. */
  countRunning(): Promise<number>;
  /** Stops those tasks and waits for their ends. */
  stopRunning(): Promise<void>;
  /** Ends the server. Tasks go on under their runner, and an idle runner ends too. */
  stop(): Promise<void>;
};

/** Builds everything once, in the order in which it is needed. @throws StartRefusal when nothing was written */
export async function startApp(config: Config, log: Logger): Promise<App> {
  const server = await bindServer(config.listen);
  try {
    return await openApp(config, log, server);
  } catch (error) {
    await closeServer(server, 0);
    throw error;
  }
}

async function openApp(config: Config, log: Logger, server: Server): Promise<App> {
  const { dataDir, databaseUrl: url, encryptionKey } = config;
  const database = await openDatabase({ dataDir, url, encryptionKey, exclusive: true });
  const localUrl = `http://${reachableHost(config.listen.host)}:${portOf(server)}${config.basePath}`;
  const publicUrl = config.webHost?.href.replace(/\/$/, '') ?? localUrl;
  const stops: (() => unknown)[] = [() => database.close()];
  const stop = async () => {
    const closed = closeServer(server, closeGraceMs);
    for (const end of stops.toReversed()) await end();
    await closed;
  };
  try {
    await seedApps(database);
    const engine = createEngine({ config, database, log, publicUrl });
    stops.push(() => engine.stop());
    const sender = createSender({ database, log, settings: config.notifications, webUrl: publicUrl }, engine);
    const http = createRoutes({ config, database, log, engine, sender, publicUrl, server });
    // Closed after the engine has ended the open syncs of runners: it would wait for those.
    stops.splice(1, 0, () => http.fastify.close());
    stops.push(serveSocket(http, engine.live), startSessionSweep(database, config.sessionLimits, log));
    stops.push(startDeliverySweep(database, config.webhooks.keptDays, log));
    stops.push(sender.start());
    await http.fastify.ready();
    engine.open(localUrl);
    return {
      url: publicUrl,
      firstAdministrator: await createFirstPeople({ config, database, log }),
      endWork: () => engine.endWork(),
      countRunning: () => engine.countRunning(),
      stopRunning: () => engine.stopRunning(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * The first administrator, and the demo project of his. The last step of a start: a password that was made up is stored
 * only when nothing can fail any more before it is shown.
 */
async function createFirstPeople({
  config,
  database,
  log,
}: Omit<EngineNeeds, 'publicUrl'>): Promise<FirstAdministrator | undefined> {
  const first = await createFirstAdministrator(database, config.admin);
  const visitor = config.demoMode ? await openDemoAccount(database, config.demoAccount) : undefined;
  if (!config.demoMode) await closeDemoAccounts(database);
  if (first === undefined || !config.demo) return first;
  try {
    await createDemoProject(database, createDemo(config, database), first, visitor);
  } catch (error) {
    log.error('The demo project could not be made', { cause: error });
  }
  return first;
}

/** The address of this machine under which a server that listens on every address is reached. */
function reachableHost(host: string): string {
  if (host === '::' || host === '0.0.0.0') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

type EngineNeeds = { config: Config; database: Database; log: Logger; publicUrl: string };

export function createEngine({ config, database, log, publicUrl }: EngineNeeds): Engine {
  return startEngine({ database, log, settings: readEngineSettings(config, publicUrl) });
}

export type AppParts = EngineNeeds & {
  readonly engine: Engine;
  readonly sender: NotificationSender;
  /** Without one nothing listens, and requests are injected. */
  readonly server?: Server;
  readonly consoleDirectory?: string;
  /** Told of changes; the browsers by default. */
  readonly onChange?: HttpApi['onChange'];
};

/** All routes on one HTTP server. */
export function createRoutes(parts: AppParts): HttpApi {
  const { config, database, log, engine, publicUrl, server } = parts;
  const version = readVersion();
  const http = createHttp({
    database,
    log,
    webHost: config.webHost,
    basePath: config.basePath,
    trustedProxies: config.trustedProxies,
    sessionLimits: config.sessionLimits,
    totpEnabled: config.totp.enabled,
    readOnlyDemo: config.demoMode,
    identifyRunner: async (tokenHash) => admitRunner(config, await engine.identifyRunner(tokenHash)),
    onChange: parts.onChange ?? ((projectId, object) => engine.live.noteChange(projectId, object)),
    onAccessChange: (userId) => engine.live.noteAccess(userId),
    ...(server ? { server } : {}),
  });
  const authMethods = config.totp.enabled ? { totp: { allow_recovery: config.totp.allowRecovery } } : {};
  const installation = {
    version,
    auth_methods: authMethods,
    web_host: publicUrl,
    use_remote_runner: config.useRemoteRunner,
    premium_features: config.premiumFeatures,
    demo_mode: config.demoMode,
  };
  const wakeQueue = () => engine.wakeQueue();
  const noteRights = () => engine.live.noteRights();
  systemApi(http, { database, engine, dataDir: config.dataDir }, installation);
  servePeople(http, parts, authMethods);
  projectApi(http, {
    database,
    log,
    engine,
    setup: { ...config, demo: createDemo(config, database) },
    onLimitChange: wakeQueue,
    onRightsChange: noteRights,
  });
  teamApi(http, database, noteRights);
  backupApi(http, database, { ...config, globalAlias: config.webhooks.globalAlias });
  eventApi(http, database);
  keyApi(http, database);
  repositoryApi(http, database, ({ id, project_id }) =>
    engine.askRunner({ kind: 'repository_test', projectId: project_id, repositoryId: id }),
  );
  inventoryApi(http, database);
  environmentApi(http, database);
  templateApi(http, database, wakeQueue);
  viewApi(http, database);
  workspaceApi(http, database);
  scheduleApi(http, database, { now: () => engine.now(), timezone: config.scheduleTimezone, onChange: wakeQueue });
  const stateBackend = { isOn: config.premiumFeatures.terraform_backend, webUrl: publicUrl };
  terraformApi(http, database, stateBackend);
  stateBackendApi(http, database, stateBackend);
  taskApi(http, database, engine);
  integrationApi(http, database, { publicUrl, globalAlias: config.webhooks.globalAlias });
  const limit = new RateLimit(config.webhooks.callsPerMinute);
  webhookApi(http, database, engine, { ...config.webhooks, limit, log });
  notificationApi(http, database, parts.sender);
  statsApi(http, database);
  serveAdministration(http, parts);
  serveOpenApi(http, version);
  answerUnknownPaths(http, serveConsole(http, parts.consoleDirectory ?? consoleDirectory));
  return http;
}

/** Who somebody is, and how he proves it. */
function servePeople(http: HttpApi, { config, database, log, engine }: AppParts, authMethods: AuthMethods): void {
  const { providers, rules } = config.signIn;
  const onRightsChange = () => {
    engine.live.noteRights();
    for (const object of ['users', 'projects']) engine.live.noteChange(null, object);
  };
  const outside = { database, log, rules, onRightsChange };
  authApi(http, outside, { ...config, authMethods });
  singleSignOnApi(http, { ...outside, providers, findConfiguration: keepConfigurations() });
  userApi(http, database, config);
  tokenApi(http, database);
  sessionApi(http, database);
  totpApi(http, database, config.totp);
}

/** What is of no project, or of all: apps, options, runners, the queue. */
function serveAdministration(http: HttpApi, { config, database, engine }: AppParts): void {
  appApi(http, database);
  optionApi(http, database, listVariables());
  activeTaskApi(http, database, engine);
  runnerApi(http, engine.hub);
  runnerAdministrationApi(http, database, {
    useRemoteRunner: config.useRemoteRunner,
    projectRunners: config.premiumFeatures.project_runners,
    now: () => engine.now(),
    wakeQueue: () => engine.wakeQueue(),
  });
}

/** Runners of a kind that is switched off have no token that is good. */
function admitRunner(
  { useRemoteRunner, premiumFeatures }: Config,
  runner: RunnerIdentity | undefined,
): RunnerIdentity | undefined {
  if (runner === undefined || runner.runnerId === null) return runner;
  const isOn = useRemoteRunner && (runner.projectId === null || premiumFeatures.project_runners);
  return isOn ? runner : undefined;
}

function createDemo(config: Config, database: Database): Demo {
  return {
    prepare: () => prepareDemoRepository(config.dataDir),
    fill: (db, actor, project) => fillDemoProject(db, database.keyring, actor, project, demoAddress),
  };
}

/** @param visitor of a public demo, who sees what a manager sees, and can change nothing anyhow */
async function createDemoProject(
  database: Database,
  demo: Demo,
  { id, login }: FirstAdministrator,
  visitor: number | undefined,
): Promise<void> {
  const actor = { userId: id, username: login, name: login, admin: true, address: '', permissions: 15 };
  const setup = { demo, nonAdminCanCreateProject: false };
  const project = await createProject(database, setup, actor, { name: 'Demo project', demo: true });
  if (visitor !== undefined) await addMember(database, actor, project.id, { user_id: visitor, role: 'manager' });
}
