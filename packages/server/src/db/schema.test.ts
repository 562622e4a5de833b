import { readFile, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openTestDatabase } from '../test/databases.ts';
import { dumpSchema } from '../test/schema-dump.ts';

// A new migration changes these files: UPDATE_SCHEMA=1 npx vitest run packages/server/src/db/schema.test.ts
for (const engine of ['sqlite', 'postgres'] as const) {
  test(`a migrated ${engine} database has the schema that is committed`, async () => {
    const { database, remove } = await openTestDatabase(engine);
    const schema = await dumpSchema(database);
    await remove();
    const file = new URL(`./schema.${engine}.sql`, import.meta.url);
    if (process.env.UPDATE_SCHEMA === '1') await writeFile(file, schema);
    expect(schema).toBe(await readFile(file, 'utf8'));
  });
}
