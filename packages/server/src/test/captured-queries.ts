import type { KyselyPlugin, RootOperationNode } from 'kysely';
import type { Db } from '../db/database.ts';

/** A handle that notes the statements that go through it, as the database gets them. */
export function captureQueries(db: Db): { db: Db; statements: { sql: string; parameters: readonly unknown[] }[] } {
  const statements: { sql: string; parameters: readonly unknown[] }[] = [];
  const plugin: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      const { sql, parameters } = db.getExecutor().compileQuery(node as RootOperationNode, queryId);
      statements.push({ sql, parameters });
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { db: db.withPlugin(plugin), statements };
}
