import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Db } from '../../db/database.ts';
import { stateFile } from '../../db/sqlite.ts';
import { captureQueries } from '../../test/captured-queries.ts';
import { openTestDatabase, type TestDatabase } from '../../test/databases.ts';
import { findAlias, findClaim, listDeliveries, listExtractions, listRules, listSearchable } from './queries.ts';

/** A public address asks these: none may read a whole table. */

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase('sqlite');
});
afterAll(() => opened.remove());

async function explain(list: (db: Db) => Promise<unknown>): Promise<string[]> {
  const { db, statements } = captureQueries(opened.database.read);
  await list(db);
  const connection = new DatabaseSync(stateFile(opened.dataDir), { readOnly: true });
  try {
    return statements.flatMap(({ sql }) =>
      connection
        .prepare(`explain query plan ${sql}`)
        .all()
        .map((step) => String(step.detail)),
    );
  } finally {
    connection.close();
  }
}

const place = { projectId: 1, integrationId: 1 };
const candidate = {
  id: 1,
  project_id: 1,
  name: '',
  template_id: 1,
  auth_method: '',
  auth_header: '',
  task_params: null,
  survey_vars: '[]',
  key_id: null,
  key_type: null,
  key_secret: null,
} as const;

test.each<[string, RegExp, (db: Db) => Promise<unknown>]>([
  ['an alias', /integration_alias USING INDEX sqlite_autoindex/, (db) => findAlias(db, 'a')],
  [
    'the searchable integrations of a project',
    /integration USING INDEX integration_(name|project_id)/,
    (db) => listSearchable(db, 1),
  ],
  ['matchers', /integration_matcher USING INDEX/, (db) => listRules(db, candidate)],
  ['values', /integration_value USING INDEX/, (db) => listExtractions(db, candidate)],
  ['a claim', /integration_delivery_claim/, (db) => findClaim(db, candidate, 'a')],
  [
    'deliveries, newest first',
    /integration_delivery_latest/,
    (db) => listDeliveries(db, place, { limit: 101, before: 1000 }),
  ],
])('%s are found by an index', async (_, index, list) => {
  const steps = await explain(list);
  expect(steps.join('\n')).toMatch(index);
  expect(steps.filter((step) => /^SCAN \w+$/.test(step))).toEqual([]);
});

test('deliveries are read in their order, without sorting them', async () => {
  const steps = await explain((db) => listDeliveries(db, place, { limit: 101, before: undefined }));
  expect(steps.filter((step) => /TEMP B-TREE/.test(step))).toEqual([]);
});
