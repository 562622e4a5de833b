import type { BackupFile } from '@signalbox/contract/backup';
import { EnvironmentInput } from '@signalbox/contract/environments';
import type { FieldProblem } from '@signalbox/contract/errors';
import { ProjectInput } from '@signalbox/contract/projects';
import { RepositoryInput } from '@signalbox/contract/repositories';
import { ScheduleInput } from '@signalbox/contract/schedules';
import { TemplateInput } from '@signalbox/contract/templates';
import { ViewInput } from '@signalbox/contract/views';
import type * as z from 'zod/mini';
import { AppError } from '../../errors.ts';
import { checkLinks } from './check-links.ts';
import {
  describeEnvironment,
  describeIntegration,
  describeInventory,
  describeProject,
  describeRepository,
  describeSchedule,
  describeTemplate,
} from './describe-items.ts';
import { type LocalNames, listNames, type Problems, parseItem, parseList } from './file-check.ts';
import { type FileLists, type Note, type Placed, placeLists } from './file-lists.ts';
import { adaptOlderFile } from './older-files.ts';
import { type ReadFile, StoredIntegration, StoredInventory, StoredKey } from './restorable-file.ts';
import { listUnknownMembers } from './unknown-members.ts';

/** Problems that one answer tells. */
const mostProblems = 100;

/**
 * Reads a file and checks all of it, by the rules of the forms for its objects; the database is asked for nothing.
 *
 * @returns what can be restored, and notes on what is not known or cannot be kept
 * @throws AppError invalid, with every problem and where it stands
 */
export function readFile(file: BackupFile): { read: ReadFile; notes: FieldProblem[] } {
  const notes = listUnknownMembers(file);
  const note: Note = (path, message) => notes.push({ path, message });
  const lists = adaptOlderFile(placeLists(file), note);
  const problems: Problems = [];
  const read = readLists(problems, file.meta, lists);
  refuse(problems);
  checkLinks(problems, read, lists, note);
  refuse(problems);
  return { read, notes };
}

function readLists(problems: Problems, meta: BackupFile['meta'], lists: FileLists): ReadFile {
  const names = nameLists(problems, lists);
  const project = parseItem(problems, ProjectInput, 'meta', describeProject(meta));
  const parse = <S extends z.ZodMiniType, T>(
    schema: S,
    items: readonly Placed<T>[],
    describe: (problems: Problems, names: LocalNames, placed: Placed<T>) => unknown,
  ) => parseList(problems, schema, items, (placed) => describe(problems, names, placed));
  return {
    project: project ?? { name: '' },
    views: parseList(problems, ViewInput, lists.views, ({ item }) => item),
    keys: parseList(problems, StoredKey, lists.keys, ({ item }) => item),
    environments: parseList(problems, EnvironmentInput, lists.environments, (placed) =>
      describeEnvironment(problems, placed),
    ),
    repositories: parse(RepositoryInput, lists.repositories, describeRepository),
    inventories: parse(StoredInventory, lists.inventories, describeInventory),
    templates: parse(TemplateInput, lists.templates, describeTemplate),
    schedules: parse(ScheduleInput, lists.schedules, describeSchedule),
    integrations: parse(StoredIntegration, lists.integrations, describeIntegration),
    aliases: lists.integration_aliases,
  };
}

function nameLists(problems: Problems, lists: FileLists): LocalNames {
  const list = (kind: string, items: readonly Placed<{ name: string }>[]) =>
    listNames(
      problems,
      kind,
      items.map(({ path, item }) => ({ path, item: item.name })),
    );
  const titles = lists.views.map(({ path, item }) => ({ path, item: { name: item.title } }));
  return {
    view: list('view', titles),
    key: list('key', lists.keys),
    environment: list('variable group', lists.environments),
    repository: list('repository', lists.repositories),
    inventory: list('inventory', lists.inventories),
    template: list('template', lists.templates),
    integration: list('integration', lists.integrations),
  };
}

function refuse(problems: Problems): void {
  const [first, ...others] = problems;
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` (and ${others.length} more problems)`;
  throw new AppError('invalid', `${first.path}: ${first.message}${more}`, problems.slice(0, mostProblems));
}
