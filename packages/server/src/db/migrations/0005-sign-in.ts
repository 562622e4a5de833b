import type { Kysely } from 'kysely';
import {
  createTables,
  type Engine,
  maybeText,
  mayReference,
  number,
  references,
  type Table,
  text,
} from '../schema-builder.ts';

const tables: readonly Table[] = [
  {
    name: 'sign_in_grant',
    columns: {
      user_id: references('user', 'cascade'),
      project_id: mayReference('project', 'cascade'),
      role: maybeText,
    },
    indexes: [
      {
        name: 'sign_in_grant_project_user',
        columns: ['project_id', 'user_id'],
        unique: true,
        where: { sqlite: 'project_id is not null', postgres: 'project_id is not null' },
      },
      {
        name: 'sign_in_grant_admin',
        columns: ['user_id'],
        unique: true,
        where: { sqlite: 'project_id is null', postgres: 'project_id is null' },
      },
    ],
  },
  {
    name: 'used_sign_in',
    columns: { state_hash: text, created: number },
    primaryKey: ['state_hash'],
    indexes: [{ name: 'used_sign_in_created', columns: ['created'] }],
  },
];

/** What sign-in rules have given, and which sign-ins with a provider were finished. */
export async function addSignIn(db: Kysely<unknown>, engine: Engine): Promise<void> {
  await createTables(db, engine, tables);
}
