import type { BackupFile, RestoredProject } from '@signalbox/contract/backup';
import type { FieldProblem } from '@signalbox/contract/errors';
import type { Actor } from '../../auth/actor.ts';
import { isUniqueViolation } from '../../db/constraint.ts';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { requireApp } from '../apps/apps.ts';
import { addRestoredProject, requireProject } from '../projects/projects.ts';
import { mayCreateProject, type ProjectRules } from '../users/users.ts';
import { readFile } from './read-file.ts';
import type { ReadFile } from './restorable-file.ts';
import { insertAliases } from './restore-aliases.ts';
import { insertObjects } from './restore-rows.ts';

export type RestoreRules = ProjectRules & {
  /** The alias of the whole server, which no project can have. */
  readonly globalAlias?: string | undefined;
};

/** How often it is begun anew when somebody else takes an alias in the same moment. */
const mostRuns = 3;

/** Makes a project from a backup, all of it or nothing. @throws AppError invalid, which names list, place and reason */
export async function restoreProject(
  database: Database,
  rules: RestoreRules,
  actor: Actor,
  file: BackupFile,
): Promise<RestoredProject> {
  if (!mayCreateProject(actor, rules)) throw new AppError('forbidden', 'Only administrators may create projects');
  const { read, notes } = readFile(file);
  await requireApps(database.read, read, file);
  for (let run = 1; ; run += 1) {
    try {
      return await database.transact((db) => insertProject(db, database, { rules, actor, read, notes }));
    } catch (error) {
      if (!isUniqueViolation(error) || run === mostRuns) throw error;
    }
  }
}

type Restore = { rules: RestoreRules; actor: Actor; read: ReadFile; notes: FieldProblem[] };

async function insertProject(
  db: Db,
  { keyring }: Database,
  { rules, actor, read, notes }: Restore,
): Promise<RestoredProject> {
  const now = Date.now();
  const projectId = await addRestoredProject(db, actor, read.project);
  const ids = await insertObjects(db, keyring, { projectId, now }, read);
  const new_aliases = await insertAliases(db, { projectId, globalAlias: rules.globalAlias }, read, ids);
  return {
    ...(await requireProject(db, projectId)),
    empty_keys: read.keys.flatMap(({ name, type }, at) => (type === 'none' ? [] : [{ id: ids.keys[at] ?? 0, name }])),
    empty_secrets: read.environments.flatMap(({ name: environment, secrets }, at) =>
      (secrets ?? []).map(({ name }) => ({ environment_id: ids.environments[at] ?? 0, environment, name })),
    ),
    new_aliases,
    not_carried: notes,
  };
}

/** Apps belong to the server, not to a project: those of the file must be here. They may be switched off. */
async function requireApps(db: Db, { templates }: ReadFile, file: BackupFile): Promise<void> {
  for (const app of new Set(templates.map((template) => template.app))) {
    try {
      await requireApp(db, app, 'stored');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const at = (file.templates ?? []).findIndex((template) => (template.app || 'ansible') === app);
      const problem = { path: `templates.${at}.app`, message: `names an app that this server does not have: "${app}"` };
      throw new AppError('invalid', `${problem.path}: ${problem.message}`, [problem]);
    }
  }
}
