import { JsonArgumentsText } from '@signalbox/contract/fields';
import * as z from 'zod/mini';
import type { FileLists, Item, Note, Placed } from './file-lists.ts';
import { giveWorkspaces } from './older-workspaces.ts';

type Template = Placed<Item<'templates'>>;
type Inventory = Placed<Item<'inventories'>>;
type Schedule = Placed<Item<'schedules'>>;
type Adapted = { templates: Template[]; inventories: Inventory[]; schedules: Schedule[] };

/** Templates of an older file, with the workspaces and schedules that go with them. */
export function adaptTemplates(lists: Pick<FileLists, 'templates' | 'inventories' | 'schedules'>, note: Note): Adapted {
  const templates = lists.templates.map((template) => adaptTemplate(template, note));
  const schedules = lists.schedules.map((schedule) => adaptSchedule(schedule, note));
  return { ...giveWorkspaces({ ...lists, templates }, note), schedules: addSchedules(templates, schedules, note) };
}

function adaptTemplate({ path, item }: Template, note: Note): Template {
  const adapted = {
    ...item,
    // Files from before there were others have none.
    app: item.app || 'ansible',
    type: item.type === 'task' ? '' : item.type,
    // A path there begins at the repository, with a slash or without.
    playbook: item.playbook?.trim().replace(/^\/+/, ''),
    arguments: readArguments({ path, item }, note),
    survey_vars: item.survey_vars?.flatMap((variable, at) =>
      adaptSurveyVariable({ path: `${path}.survey_vars.${at}`, item: variable }, note),
    ),
    vaults: listVaults({ path, item }).flatMap((vault) => keepVault(vault, note)),
    vault_key: undefined,
  };
  if (item.type !== 'build' || item.start_version) return { path, item: adapted };
  note(`${path}.start_version`, 'is not in the file: versions begin with 0.0.0');
  return { path, item: { ...adapted, start_version: '0.0.0' } };
}

function readArguments({ path, item }: Template, note: Note): string | null {
  const text = item.arguments;
  if (!text) return null;
  if (z.safeParse(JsonArgumentsText, text).success) return text;
  note(`${path}.arguments`, 'is no list of texts: it is left out');
  return null;
}

type SurveyVariable = NonNullable<Item<'templates'>['survey_vars']>[number];

function adaptSurveyVariable({ path, item }: Placed<SurveyVariable>, note: Note): SurveyVariable[] {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(item.name.trim())) {
    note(path, 'has a name that no variable can have: it is left out');
    return [];
  }
  return [{ ...item, title: item.title?.trim() ? item.title : item.name }];
}

type Vault = NonNullable<Item<'templates'>['vaults']>[number];

/** Templates of the oldest files have one key instead of a list. */
function listVaults({ path, item }: Template): Placed<Vault>[] {
  const vaults = (item.vaults ?? []).map((vault, at) => ({ path: `${path}.vaults.${at}`, item: vault }));
  if (vaults.length > 0 || !item.vault_key) return vaults;
  return [{ path: `${path}.vault_key`, item: { type: 'password', vault_key: item.vault_key } }];
}

function keepVault({ path, item }: Placed<Vault>, note: Note): Vault[] {
  if (item.type === 'script' || item.vault_key) return [{ ...item, type: item.type || 'password' }];
  note(path, 'names no key: it is left out');
  return [];
}

function adaptSchedule({ path, item }: Schedule, note: Note): Schedule {
  if (!item.timezone) note(`${path}.timezone`, 'is not in the file: its times are read in UTC');
  // One that looks for commits may do without a name.
  const name = item.name || (item.checkable_repository ? '' : item.template);
  return { path, item: { ...item, name, timezone: item.timezone || 'UTC' } };
}

/** The `cron` of a template is its first schedule; newer files have that in the list too. */
function addSchedules(templates: readonly Template[], schedules: readonly Schedule[], note: Note): Schedule[] {
  const listed = new Set(schedules.map(({ item }) => `${item.template.trim()}\n${item.cron_format.trim()}`));
  const added = templates.flatMap(({ path, item }): Schedule[] => {
    if (!item.cron || listed.has(`${item.name.trim()}\n${item.cron.trim()}`)) return [];
    note(`${path}.cron`, 'does not say whether it was active, nor its time zone: it is switched off, and reads UTC');
    return [
      {
        path: `${path}.cron`,
        item: { name: item.name, template: item.name, cron_format: item.cron, timezone: 'UTC', active: false },
      },
    ];
  });
  return [...schedules, ...added];
}
