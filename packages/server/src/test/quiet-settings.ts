import { readVersion } from '../installation.ts';
import { listNetworks } from '../outgoing-call.ts';

/** Of an engine that does nothing by itself. */
export const quietSettings = {
  webUrl: null,
  demoRepository: null,
  maxTaskSeconds: 0,
  stateBackend: true,
  confirmMs: 3_600_000,
  runnerSilentMs: 15_000,
  catchUpMs: 3_600_000,
  retention: { tasksPerTemplate: 0, taskDays: 0, eventDays: 0 },
  maxParallelTasks: 10,
  runner: 'external',
  version: readVersion(),
  servers: [],
  runnerEnv: { PATH: process.env.PATH ?? '' },
  toolEnv: {},
  localRepositories: [],
  deniedNetworks: listNetworks(['169.254.0.0/16', '127.6.6.0/24']),
} as const;
