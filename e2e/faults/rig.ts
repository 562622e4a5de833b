import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeRunnerUsage } from '@signalbox/contract/runner-usage';
import { runnerRoutes } from '@signalbox/contract/runners';
import type { Api } from '../fixtures/api.ts';
import { LosingProxy } from '../fixtures/losing-proxy.ts';
import { RunnerMachine, RunnerPackage } from '../fixtures/packed-runner.ts';
import { type PostgresServer, startPostgres } from '../fixtures/postgres.ts';
import { type SignalboxServer, startServer } from '../fixtures/server.ts';
import { type Field, type Ledger, makeField, makeLedger } from './ledger.ts';

export type Database = 'sqlite' | 'postgres';

/** A runner on a machine of its own, which asks its servers in turn, the first one through a proxy that loses answers. */
export type FarRunner = {
  readonly proxy: LosingProxy;
  readonly current: () => ChildProcess;
  /** Starts it anew, on what it has left. */
  readonly start: () => void;
};

export type Rig = {
  readonly server: SignalboxServer;
  /** On the same PostgreSQL. */
  readonly second: SignalboxServer | null;
  readonly far: FarRunner | null;
  readonly postgres: PostgresServer | null;
  readonly ledger: Ledger;
  /** Tasks of a few seconds. */
  readonly field: Field;
  /** Tasks of one line. */
  readonly quick: Field;
  /** Lines of a task of a few seconds. */
  readonly lines: number;
} & AsyncDisposable;

export type RigOptions = {
  readonly database: Database;
  readonly lines: number;
  /** A second server where the database can have one, and a second runner. */
  readonly isDouble: boolean;
};

/** The shortest that there is: silence of runners must not take most of a campaign. */
const silentSeconds = '5';

/** Builds what a row of the campaign works on. Everything ends with it. */
export async function openRig({ database, lines, isDouble }: RigOptions): Promise<Rig> {
  const open = new AsyncDisposableStack();
  try {
    const postgres = database === 'postgres' ? open.use(await startPostgres()) : null;
    const ledger = await makeLedger();
    open.use(ledger.repository);
    const options = {
      localRepositories: [ledger.repository.parent],
      env: {
        SIGNALBOX_MAX_PARALLEL_TASKS: '12',
        SIGNALBOX_RUNNER_SILENT_SECONDS: silentSeconds,
        SIGNALBOX_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        ...(postgres === null ? {} : { SIGNALBOX_DATABASE_URL: postgres.url }),
      },
    };
    const server = open.use(await startServer(options));
    await server.waitForRunner();
    const hasSecond = isDouble && postgres !== null;
    const second = hasSecond
      ? open.use(await startServer({ ...options, env: { ...options.env, SIGNALBOX_RUNNER: 'external' } }))
      : null;
    const api = await server.signIn();
    const far = isDouble
      ? await startFarRunner(open, api, [server, ...(second === null ? [] : [second])], ledger)
      : null;
    const field = await makeField(api, ledger, lines);
    const quick = await makeField(api, ledger, 1, '0');
    const all = open.move();
    return {
      server,
      second,
      far,
      postgres,
      ledger,
      field,
      quick,
      lines,
      [Symbol.asyncDispose]: () => all.disposeAsync(),
    };
  } catch (error) {
    await open.disposeAsync();
    throw error;
  }
}

async function startFarRunner(
  open: AsyncDisposableStack,
  api: Api,
  servers: readonly SignalboxServer[],
  ledger: Ledger,
): Promise<FarRunner> {
  const proxy = open.use(await LosingProxy.start(() => servers[0]?.url ?? ''));
  const packed = open.use(await RunnerPackage.make());
  const runner = await api.call(runnerRoutes.create, { body: { name: 'far', active: true, max_parallel_tasks: 6 } });
  const machine = open.use(
    await RunnerMachine.make(packed, { SIGNALBOX_LOCAL_REPOSITORIES: ledger.repository.parent }),
  );
  const usage = writeRunnerUsage('env', { server: proxy.url, token: runner.token, privateKey: runner.private_key });
  const others = servers.slice(1).map(({ url }) => url);
  const start = usage.replace(proxy.url, [proxy.url, ...others].join(','));
  let child = machine.start(start);
  return {
    proxy,
    current: () => child,
    start: () => {
      child = machine.start(start);
    },
  };
}
