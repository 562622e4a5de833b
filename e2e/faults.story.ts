import { describe, expect, test } from 'vitest';
import { drainQueue, killRunner, killServer, type Rig } from './faults/campaign.ts';
import { makeField, makeLedger } from './faults/ledger.ts';
import { createRandom } from './faults/random.ts';
import { startPostgres } from './fixtures/postgres.ts';
import { startServer } from './fixtures/server.ts';

/** A short run of the campaign of `npm run faults`. */
const lines = 100;
const silent = (): void => undefined;

describe.each(['sqlite', 'postgres'])('on %s', (database) => {
  test('neither killed servers nor killed runners nor a long queue lose a task, run one twice, or leave one behind', async () => {
    await using postgres = database === 'postgres' ? await startPostgres() : undefined;
    const ledger = await makeLedger();
    await using _repository = ledger.repository;
    const env = postgres === undefined ? {} : { SIGNALBOX_DATABASE_URL: postgres.url };
    await using server = await startServer({ localRepositories: [ledger.repository.parent], env });
    await server.waitForRunner();
    const api = await server.signIn();
    const field = await makeField(api, ledger, lines);
    const rig: Rig = { server, ledger, field, lines, random: createRandom(7) };
    expect(await killServer(rig, 4, silent)).toMatchObject({ faults: 4, problems: [] });
    expect(await killRunner(rig, 2, silent)).toMatchObject({ faults: 2, problems: [] });
    const quick = { ...rig, field: await makeField(await server.signIn(), ledger, 1, '0') };
    expect(await drainQueue(quick, 60)).toMatchObject({ tasks: 60, problems: [] });
  }, 240_000);
});
