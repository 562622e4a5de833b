import { runnerRegistrationRoutes } from '@signalbox/contract/runner-registrations';
import { projectRunnerRoutes, runnerRoutes } from '@signalbox/contract/runners';
import type { Database } from '../../db/database.ts';
import type { RunnerHub } from '../../engine/runner-hub.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { watchConnection } from '../../http/watch-connection.ts';
import { createRegistration, registerItself, unregisterItself } from './registrations.ts';
import {
  changeRunner,
  createRunner,
  listRegistered,
  type RunnerRules,
  removeRunner,
  requireRunner,
  switchRunner,
} from './runners.ts';

/** The runner protocol; see `runner-protocol.ts` in the contract. */
export function runnerApi(http: HttpApi, hub: RunnerHub): void {
  register(http, runnerRoutes.sync, ({ actor, body, reply }) => hub.sync(actor, body, watchConnection(reply)));
  register(http, runnerRoutes.reports, ({ actor, body }) => hub.report(actor, body));
  register(http, runnerRoutes.log, ({ actor, body }) => hub.takeLog(actor, body));
}

/** Registrations of runners, by administrators and by projects. */
export function runnerAdministrationApi(http: HttpApi, database: Database, rules: RunnerRules): void {
  register(http, runnerRoutes.list, () => listRegistered(database.read, rules, {}));
  register(http, runnerRoutes.create, ({ body, actor }) => createRunner(database, rules, actor, {}, body));
  register(http, runnerRoutes.get, ({ params }) => requireRunner(database.read, rules, { id: params.runner_id }));
  for (const route of [runnerRoutes.update, runnerRoutes.updateByPost]) {
    register(http, route, ({ params, body, actor }) =>
      changeRunner(database, rules, actor, { id: params.runner_id }, body),
    );
  }
  register(http, runnerRoutes.remove, ({ params, actor }) =>
    removeRunner(database, rules, actor, { id: params.runner_id }),
  );
  register(http, runnerRoutes.setActive, ({ params, body, actor }) =>
    switchRunner(database, rules, actor, { id: params.runner_id }, body.active),
  );
  projectRunnerApi(http, database, rules);
  registrationApi(http, database, rules);
}

function projectRunnerApi(http: HttpApi, database: Database, rules: RunnerRules): void {
  const placeOf = (params: { project_id: number; runner_id: number }) => ({
    projectId: params.project_id,
    id: params.runner_id,
  });
  register(http, projectRunnerRoutes.list, ({ params }) =>
    listRegistered(database.read, rules, { projectId: params.project_id }),
  );
  register(http, projectRunnerRoutes.create, ({ params, body, actor }) =>
    createRunner(database, rules, actor, { projectId: params.project_id }, body),
  );
  register(http, projectRunnerRoutes.get, ({ params }) => requireRunner(database.read, rules, placeOf(params)));
  register(http, projectRunnerRoutes.update, ({ params, body, actor }) =>
    changeRunner(database, rules, actor, placeOf(params), body),
  );
  register(http, projectRunnerRoutes.remove, ({ params, actor }) =>
    removeRunner(database, rules, actor, placeOf(params)),
  );
  register(http, projectRunnerRoutes.setActive, ({ params, body, actor }) =>
    switchRunner(database, rules, actor, placeOf(params), body.active),
  );
}

/** How a runner comes to be without anybody copying its keys, and goes. */
function registrationApi(http: HttpApi, database: Database, rules: RunnerRules): void {
  const { create, createInProject, register: itself, unregister } = runnerRegistrationRoutes;
  register(http, create, ({ body, actor }) => createRegistration(database, rules, actor, {}, body));
  register(http, createInProject, ({ params, body, actor }) =>
    createRegistration(database, rules, actor, { projectId: params.project_id }, body),
  );
  register(http, itself, ({ body, request }) => registerItself(database, rules, request.ip, body));
  register(http, unregister, ({ actor, request }) => unregisterItself(database, rules, request.ip, actor));
}
