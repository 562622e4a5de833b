/** The thread of long reads. It opens the log store read-only, on connections of its own. */
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { LogDb } from './database.ts';
import { searchLog, streamOutput, streamRaw } from './log-scan.ts';
import { DatabaseAway } from './outage.ts';
import type { ReaderAnswer, ReaderRequest, ReaderSettings } from './reader-protocol.ts';
import { logFile } from './sqlite.ts';
import { createSqliteHandle, Statements } from './sqlite-dialect.ts';
import { openForReading } from './sqlite-file.ts';
import type { LogTables } from './tables.ts';

/** Connections to PostgreSQL: a search and a download at a time; more of them wait. */
const connections = 2;

type Work = { cancelled: boolean; stream?: AsyncGenerator<Uint8Array, void> };

function serve(port: MessagePort, db: LogDb): void {
  const works = new Map<number, Work>();
  const answer = (message: ReaderAnswer) => port.postMessage(message);

  const finish = async (id: number, run: (work: Work) => Promise<ReaderAnswer | undefined>) => {
    const work = works.get(id) ?? { cancelled: false };
    works.set(id, work);
    try {
      const result = await run(work);
      if (result !== undefined && !work.cancelled) answer(result);
      if (result?.kind !== 'piece') works.delete(id);
    } catch (error) {
      works.delete(id);
      const isAway = error instanceof DatabaseAway;
      // Of an error only its message crosses to the other thread.
      if (!work.cancelled) answer({ id, kind: 'failed', error: isAway ? error.cause : error, isAway });
    }
  };

  port.on('message', (request: ReaderRequest) => {
    const { id } = request;
    switch (request.kind) {
      case 'search':
        void finish(id, async (work) => {
          const found = await searchLog(db, request.search, () => work.cancelled);
          return found && { id, kind: 'found', found };
        });
        break;
      case 'stream': {
        const read = request.form === 'raw' ? streamRaw : streamOutput;
        works.set(id, { cancelled: false, stream: read(db, request.taskId) });
        break;
      }
      case 'pull':
        void finish(id, async (work) => {
          // Begun in a thread that has ended since: half a log must not look whole.
          if (work.stream === undefined) throw new Error('The reader was started again');
          const { value } = await work.stream.next();
          return value === undefined ? { id, kind: 'end' } : { id, kind: 'piece', bytes: value };
        });
        break;
      case 'cancel': {
        const work = works.get(id);
        if (work !== undefined) work.cancelled = true;
        works.delete(id);
        break;
      }
    }
  });
}

async function openLogs({ dataDir, url }: ReaderSettings): Promise<LogDb> {
  if (!url) return createSqliteHandle<LogTables>(new Statements(openForReading(logFile(dataDir))), () => true);
  const { openPostgresForReading } = await import('./postgres.ts');
  return openPostgresForReading<LogTables>(url, connections);
}

if (parentPort !== null) serve(parentPort, await openLogs(workerData));
