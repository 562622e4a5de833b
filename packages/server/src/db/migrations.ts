import type { Kysely } from 'kysely';
import { createLogs, createState } from './migrations/0001-initial.ts';
import type { Engine } from './schema-builder.ts';

/**
 * One step of the schema, forward only. A step that was released is never edited: the next one is a new file at the end.
 * It runs in a transaction with all steps before it, on a database that has rows.
 */
export type Migration = (db: Kysely<unknown>, engine: Engine) => Promise<void>;

/** The version of a schema is the number of steps that it has taken. On SQLite, state and logs are two files. */
export const stateMigrations: readonly Migration[] = [createState];
export const logMigrations: readonly Migration[] = [createLogs];
