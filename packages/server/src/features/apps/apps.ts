import type { App, DefaultApp } from '@signalbox/contract/apps';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../errors.ts';
import { findApp, insertMissingApps } from './queries.ts';

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
