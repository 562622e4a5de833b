import type { Server } from 'node:http';
import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import { fillDemoProject } from './demo/demo-project.ts';
import { demoRepository, prepareDemoRepository } from './demo/demo-repository.ts';
import type { RunnerIdentity } from './engine/runner-identity.ts';
import { appApi } from './features/apps/routes.ts';
import { authApi } from './features/auth/routes.ts';
import { environmentApi } from './features/environments/routes.ts';
import { eventApi } from './features/events/routes.ts';
import { inventoryApi } from './features/inventories/routes.ts';
import { keyApi } from './features/keys/routes.ts';
import type { Demo } from './features/projects/projects.ts';
import { projectApi } from './features/projects/routes.ts';
import { repositoryApi, type TestRepository } from './features/repositories/routes.ts';
import { systemApi } from './features/system/routes.ts';
import type { RunnerFacts } from './features/system/system.ts';
import { type TemplateTasks, templateApi } from './features/templates/routes.ts';
import { userApi } from './features/users/routes.ts';
import { serveConsole } from './http/console-files.ts';
import { createHttp, type HttpApi } from './http/http-api.ts';
import { serveOpenApi } from './http/openapi.ts';
import { answerUnknownPaths } from './http/unknown-paths.ts';
import { consoleDirectory, readVersion } from './installation.ts';
import type { Logger } from './logger.ts';

/** What the routes ask of the engine. */
export type EngineSide = {
  readonly tasks: TemplateTasks;
  readonly testRepository: TestRepository;
  readonly readFacts: () => Promise<RunnerFacts>;
  /** Something changed that may let waiting tasks start. */
  readonly wakeQueue: () => void;
  readonly onProjectChange: (projectId: number, object: string) => void;
  readonly identifyRunner: (tokenHash: string) => Promise<RunnerIdentity | undefined>;
};

export type AppParts = {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly engine: EngineSide;
  /** Where people reach the server. */
  readonly publicUrl: string;
  readonly server?: Server;
  /** Where the built console is. */
  readonly consoleDirectory?: string;
};

/** All routes on one HTTP server, in the order in which they are looked for. */
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
    readOnlyDemo: config.demoMode,
    identifyRunner: engine.identifyRunner,
    onProjectChange: engine.onProjectChange,
    ...(server ? { server } : {}),
  });
  const installation = {
    version,
    web_host: publicUrl,
    use_remote_runner: config.useRemoteRunner,
    premium_features: config.premiumFeatures,
    demo_mode: config.demoMode,
  };
  systemApi(http, database, installation, engine.readFacts);
  authApi(http, database, config);
  userApi(http, database, config);
  appApi(http, database);
  projectApi(http, database, { ...config, demo: createDemo(config, database) }, engine.wakeQueue);
  eventApi(http, database);
  keyApi(http, database);
  repositoryApi(http, database, engine.testRepository);
  inventoryApi(http, database);
  environmentApi(http, database);
  templateApi(http, database, engine.tasks, engine.wakeQueue);
  serveOpenApi(http, version);
  answerUnknownPaths(http, serveConsole(http, parts.consoleDirectory ?? consoleDirectory));
  return http;
}

function createDemo(config: Config, database: Database): Demo {
  return {
    prepare: () => prepareDemoRepository(config.dataDir),
    fill: (db, actor, project) => fillDemoProject(db, database.keyring, actor, project, demoRepository(config.dataDir)),
  };
}
