import type { Kysely } from 'kysely';
import { createLogs, createState } from './migrations/0001-initial.ts';
import { addReading } from './migrations/0002-reading.ts';
import { addProjectRemoval } from './migrations/0003-project-removal.ts';
import { addDeliveryOutcome } from './migrations/0004-deliveries.ts';
import { addSignIn } from './migrations/0005-sign-in.ts';
import { addNotifications } from './migrations/0006-notifications.ts';
import { addScheduleFacts } from './migrations/0007-schedule-facts.ts';
import { addRegistrationLimit } from './migrations/0008-runner-registrations.ts';
import { addHostKeyPolicies } from './migrations/0009-host-keys.ts';
import type { Engine } from './schema-builder.ts';

/**
 * One step of the schema, forward only. A step that was released is never edited: the next one is a new file at the end.
 * It runs in a transaction with all steps before it, on a database that has rows.
 */
export type Migration = (db: Kysely<unknown>, engine: Engine) => Promise<void>;

/** The version of a schema is the number of steps that it has taken. On SQLite, state and logs are two files. */
export const stateMigrations: readonly Migration[] = [
  createState,
  addReading,
  addProjectRemoval,
  addDeliveryOutcome,
  addSignIn,
  addNotifications,
  addScheduleFacts,
  addRegistrationLimit,
  addHostKeyPolicies,
];
export const logMigrations: readonly Migration[] = [createLogs];
