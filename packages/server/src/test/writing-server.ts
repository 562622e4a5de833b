/** A process that writes rows and prints the id of each one that was acknowledged, until it is killed. */
import { openDatabase } from '../db/open-database.ts';

const [dataDir = '', table = ''] = process.argv.slice(2);
const database = await openDatabase({ dataDir, url: undefined, exclusive: true });
for (let written = 0; ; written += 4) {
  const ids = await Promise.all(
    [1, 2, 3, 4].map((part) => (table === 'log' ? writeChunk(written + part) : writeOption(written + part))),
  );
  process.stdout.write(`${ids.join('\n')}\n`);
}

async function writeOption(id: number): Promise<number> {
  await database.transact((db) =>
    db
      .insertInto('option')
      .values({ key: `${id}`, value: '' })
      .execute(),
  );
  return id;
}

async function writeChunk(id: number): Promise<number> {
  const row = { task_id: 1, first_line: id, line_count: 1, byte_count: 1, crc: 0, time: 0, gap: null };
  await database.logs.transact((db) =>
    db
      .insertInto('log_chunk')
      .values({ ...row, data: new Uint8Array() })
      .execute(),
  );
  return id;
}
