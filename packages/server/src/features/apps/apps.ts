import { type App, type AppInput, type DefaultApp, defaultApps } from '@signalbox/contract/apps';
import type { Actor } from '../../auth/actor.ts';
import type { Database, Db } from '../../db/database.ts';
import { recordEvent } from '../../db/events.ts';
import { AppError } from '../../errors.ts';
import { inUse } from '../references/references.ts';
import { deleteApp, findApp, insertMissingApps, listTemplatesOfApp, saveApp } from './queries.ts';

type Looks = Pick<App, 'title' | 'icon' | 'color' | 'dark_color' | 'priority'>;

const defaults: Record<DefaultApp, Looks> = {
  ansible: { title: 'Ansible Playbook', icon: 'ansible', color: '#c8102e', dark_color: '#ff6b6b', priority: 1000 },
  terraform: { title: 'Terraform Code', icon: 'terraform', color: '#7b42bc', dark_color: '#b692f6', priority: 900 },
  tofu: { title: 'OpenTofu Code', icon: 'tofu', color: '#8a6d00', dark_color: '#ffda18', priority: 800 },
  bash: { title: 'Bash Script', icon: 'bash', color: '#3e474a', dark_color: '#b4bec2', priority: 700 },
  powershell: {
    title: 'PowerShell Script',
    icon: 'powershell',
    color: '#2671be',
    dark_color: '#6cb1f5',
    priority: 600,
  },
  python: { title: 'Python Script', icon: 'python', color: '#306998', dark_color: '#ffd43b', priority: 500 },
  pulumi: { title: 'Pulumi Code', icon: 'pulumi', color: '#8a3391', dark_color: '#d68fdc', priority: 400 },
};

/** Puts the default apps into the table where they are not. Run at every start: an update may bring a new one. */
export async function seedApps(database: Database): Promise<void> {
  const apps = Object.entries(defaults).map(([id, looks]) => ({ id, ...looks, path: '', args: null, active: true }));
  await database.transact((db) => insertMissingApps(db, apps));
}

/** An inactive app keeps its templates, but gets no new ones. */
export async function requireApp(db: Db, id: string, use: 'new' | 'stored'): Promise<App> {
  const app = await findApp(db, id);
  if (app === undefined) throw wrongApp('names no known app');
  if (use === 'new' && !app.active) throw wrongApp('names an app that is switched off');
  return app;
}

function wrongApp(message: string): AppError {
  return new AppError('unknown_reference', `app ${message}`, [{ path: 'app', message }]);
}

/** @throws AppError not_found */
export async function findStoredApp(db: Db, id: string): Promise<App> {
  const app = await findApp(db, id);
  if (app === undefined) throw new AppError('not_found', 'There is no such app');
  return app;
}

/** Changes an app, or adds it. Templates that use it go on as they are: they name it by its id. */
export async function changeApp(database: Database, actor: Actor, id: string, input: AppInput): Promise<void> {
  await database.transact(async (db) => {
    const stored = await findApp(db, id);
    const app = stored ?? { id, ...emptyApp, title: id };
    await saveApp(db, {
      id,
      title: input.title || app.title,
      icon: input.icon ?? app.icon,
      color: input.color ?? app.color,
      dark_color: input.dark_color ?? app.dark_color,
      path: input.path ?? app.path,
      args: input.args === undefined ? app.args : input.args,
      priority: input.priority ?? app.priority,
      active: input.active ?? app.active,
    });
    await recordChange(db, actor, id, stored === undefined ? 'created' : 'updated');
  });
}

const emptyApp = { icon: '', color: '', dark_color: '', path: '', args: null, priority: 0, active: false };

export async function switchApp(database: Database, actor: Actor, id: string, active: boolean): Promise<void> {
  await database.transact(async (db) => {
    await saveApp(db, { ...(await findStoredApp(db, id)), active });
    await recordChange(db, actor, id, active ? 'switched on' : 'switched off');
  });
}

/** References that a refusal lists: a person needs to know where to begin, not all ten thousand. */
const shownReferences = 100;

export async function removeApp(database: Database, actor: Actor, id: string): Promise<void> {
  await database.transact(async (db) => {
    await findStoredApp(db, id);
    if ((defaultApps as readonly string[]).includes(id)) {
      throw new AppError('conflict', 'The apps that come with the product cannot be deleted; switch it off instead');
    }
    const templates = await listTemplatesOfApp(db, id, shownReferences);
    if (templates.length > 0) {
      throw inUse('app', { templates, inventories: [], repositories: [], integrations: [], schedules: [] });
    }
    await deleteApp(db, id);
    await recordChange(db, actor, id, 'deleted');
  });
}

async function recordChange(db: Db, actor: Actor, id: string, what: string): Promise<void> {
  await recordEvent(db, actor, {
    projectId: null,
    objectType: 'app',
    objectId: null,
    objectName: id,
    description: `App ${id} ${what}`,
  });
}
