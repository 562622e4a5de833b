import { fitsApp } from '../inventories/inventories.ts';
import { readTemplate } from '../templates/templates.ts';
import type { Problems } from './file-check.ts';
import type { FileLists, Note } from './file-lists.ts';
import type { ReadFile } from './restorable-file.ts';

/** What is named is there; it must also be of the right kind, and a template must be whole. */
export function checkLinks(problems: Problems, read: ReadFile, lists: FileLists, note: Note): void {
  for (const [at, template] of read.templates.entries()) {
    checkTemplate(problems, read, template, lists.templates[at]?.path ?? '');
  }
  noteKeys(read, lists, note);
}

type Template = ReadFile['templates'][number];

function checkTemplate(problems: Problems, read: ReadFile, template: Template, path: string): void {
  for (const problem of readTemplate(template).problems) {
    problems.push({ path: `${path}.${problem.path.replace(/_id(?=\.|$)/g, '')}`, message: problem.message });
  }
  const problem = template.type === 'deploy' ? findBuildProblem(read.templates, template) : undefined;
  if (problem !== undefined) problems.push({ path: `${path}.build_template`, message: problem });
  const inventory = findAt(read.inventories, template.inventory_id);
  if (inventory !== undefined && !fitsApp(template.app, inventory.type)) {
    problems.push({ path: `${path}.inventory`, message: `must be an inventory for ${template.app}` });
  }
}

function findBuildProblem(templates: ReadFile['templates'], template: Template): string | undefined {
  const seen = new Set<Template>();
  let build = findAt(templates, template.build_template_id);
  if (build !== undefined && !build.type) return 'must be a build or deploy template';
  for (; build !== undefined && !seen.has(build); build = findAt(templates, build.build_template_id)) {
    if (build === template) return 'leads back to this template';
    seen.add(build);
  }
  return undefined;
}

/** A key that has no password where one is needed is no obstacle: secrets are given after the restore anyway. */
function noteKeys(read: ReadFile, lists: FileLists, note: Note): void {
  const noteKey = (place: number | null | undefined, path: string) => {
    const type = findAt(read.keys, place)?.type ?? 'login_password';
    if (type !== 'login_password') note(path, 'is no key with a password: it cannot be used');
  };
  for (const [at, { vaults }] of read.templates.entries()) {
    for (const [vault, { vault_key_id }] of (vaults ?? []).entries()) {
      noteKey(vault_key_id, `${lists.templates[at]?.path}.vaults.${vault}.vault_key`);
    }
  }
  for (const [at, { auth_secret_id }] of read.integrations.entries()) {
    noteKey(auth_secret_id, `${lists.integrations[at]?.path}.auth_secret`);
  }
  for (const [at, { terraform_aliases }] of read.inventories.entries()) {
    for (const [alias, { auth_key_id }] of terraform_aliases.entries()) {
      noteKey(auth_key_id, `${lists.inventories[at]?.path}.terraform_aliases.${alias}.auth_key`);
    }
  }
}

function findAt<T>(list: readonly T[], place: number | null | undefined): T | undefined {
  return place ? list[place - 1] : undefined;
}
