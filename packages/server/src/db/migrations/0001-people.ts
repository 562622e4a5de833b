import {
  flag,
  id,
  maybeNumber,
  maybeText,
  mayReference,
  number,
  references,
  type Table,
  text,
  unique,
} from '../schema-builder.ts';

const caseless = (column: string) => ({ columns: [`lower(${column})`], unique: true });
const filledEmail = `email <> ''`;

/** Accounts, sessions, projects and their members; what the installation knows of itself. */
export const peopleTables: readonly Table[] = [
  {
    name: 'user',
    columns: {
      id,
      created: number,
      username: text,
      name: text,
      email: text,
      password: maybeText,
      admin: flag,
      external: flag,
      alert: flag,
    },
    indexes: [
      { name: 'user_username', ...caseless('username') },
      { name: 'user_email', ...caseless('email'), where: { sqlite: filledEmail, postgres: filledEmail } },
    ],
  },
  {
    name: 'user_identity',
    columns: { id, user_id: references('user', 'cascade'), issuer: text, subject: text, created: number },
    indexes: [{ name: 'user_identity_subject', columns: ['issuer', 'subject'], unique: true }],
  },
  {
    name: 'session',
    columns: {
      id,
      user_id: references('user', 'cascade'),
      token_hash: unique(text),
      created: number,
      last_active: number,
      address: text,
      user_agent: text,
      verified: flag,
    },
    indexes: [{ name: 'session_last_active', columns: ['last_active'] }],
  },
  {
    name: 'login_failure',
    columns: { id, kind: text, subject: text, created: number },
    indexes: [
      { name: 'login_failure_subject', columns: ['kind', 'subject', 'created'] },
      { name: 'login_failure_created', columns: ['created'] },
    ],
  },
  {
    name: 'api_token',
    columns: {
      id: text,
      user_id: references('user', 'cascade'),
      name: text,
      token_hash: unique(text),
      created: number,
      expires: maybeNumber,
      last_used: maybeNumber,
      revoked: flag,
    },
    primaryKey: ['id'],
  },
  {
    name: 'totp',
    columns: {
      id,
      user_id: unique(references('user', 'cascade')),
      secret: text,
      recovery_hash: maybeText,
      created: number,
      last_step: maybeNumber,
    },
  },
  {
    name: 'project',
    columns: {
      id,
      name: text,
      created: number,
      alert: flag,
      alert_chat: maybeText,
      max_parallel_tasks: number,
      type: text,
    },
  },
  {
    name: 'project_user',
    columns: { project_id: references('project', 'cascade'), user_id: references('user', 'cascade'), role: text },
    primaryKey: ['project_id', 'user_id'],
  },
  {
    name: 'event',
    columns: {
      id,
      created: number,
      project_id: mayReference('project', 'cascade'),
      user_id: mayReference('user', 'set null'),
      integration_id: mayReference('integration', 'set null'),
      object_type: maybeText,
      object_id: maybeNumber,
      object_name: text,
      description: text,
      address: text,
    },
    indexes: [{ name: 'event_project', columns: ['project_id', 'id'] }],
  },
  {
    name: 'app',
    columns: {
      id: text,
      title: text,
      icon: text,
      color: text,
      dark_color: text,
      path: text,
      args: maybeText,
      priority: number,
      active: flag,
    },
    primaryKey: ['id'],
  },
  { name: 'option', columns: { key: text, value: text }, primaryKey: ['key'] },
  { name: 'installation', columns: { key: text, value: text }, primaryKey: ['key'] },
];
