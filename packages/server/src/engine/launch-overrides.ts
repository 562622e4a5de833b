import type { FieldProblem } from '@signalbox/contract/errors';
import { permissionBits } from '@signalbox/contract/permissions';
import type { Launch, TaskParams } from '@signalbox/contract/tasks';
import type { TemplateParams } from '@signalbox/contract/templates';
import { AppError } from '../errors.ts';

/** What of a template matters to the question which of its settings a launch may replace. */
export type OverridableTemplate = {
  readonly playbook: string;
  readonly gitBranch: string | null;
  readonly inventoryId: number | null;
  readonly allowsArguments: boolean;
  readonly params: TemplateParams;
};

/** What a launch says beyond its answers; empty and unchanged members are left out. */
export type Overrides = {
  readonly params: TaskParams;
  readonly playbook: string;
  readonly arguments: string | null;
  readonly gitBranch: string | null;
  readonly inventoryId: number | null;
};

/**
 * Reads the settings that a launch replaces. Whoever may manage resources could change the template as well, so he is not
 * bound by its switches; everybody else is.
 *
 * @throws AppError with every setting that may not be replaced
 */
export function readOverrides(launch: Launch, template: OverridableTemplate, permissions: number): Overrides {
  const overrides: Overrides = {
    params: readParams(launch, template.params),
    playbook: launch.playbook && launch.playbook !== template.playbook ? launch.playbook : '',
    arguments: hasArguments(launch.arguments) ? launch.arguments : null,
    gitBranch: launch.git_branch && launch.git_branch !== template.gitBranch ? launch.git_branch : null,
    inventoryId: launch.inventory_id && launch.inventory_id !== template.inventoryId ? launch.inventory_id : null,
  };
  if ((permissions & permissionBits.resources) === 0) refuseForbidden(overrides, template);
  return overrides;
}

function refuseForbidden(overrides: Overrides, template: OverridableTemplate): void {
  const { params } = template;
  const problems: FieldProblem[] = [];
  const check = (isGiven: boolean, isAllowed: boolean, path: string, what: string) => {
    if (isGiven && !isAllowed)
      problems.push({ path, message: `This template does not allow ${what} to be set at launch` });
  };
  check(overrides.inventoryId !== null, params.allow_override_inventory, 'inventory_id', 'the inventory');
  check(overrides.params.limit !== undefined, params.allow_override_limit, 'params.limit', 'the limit');
  check(overrides.params.tags !== undefined, params.allow_override_tags, 'params.tags', 'tags');
  check(overrides.params.skip_tags !== undefined, params.allow_override_skip_tags, 'params.skip_tags', 'skipped tags');
  check(overrides.params.debug === true, params.allow_debug, 'params.debug', 'debug output');
  // Ansible reads the hosts from such a file of the runner, and prints what it does not know.
  if (overrides.params.limit?.some(namesFile)) {
    problems.push({ path: 'params.limit', message: 'A limit from a file needs the right to manage resources' });
  }
  check(overrides.arguments !== null, template.allowsArguments, 'arguments', 'arguments');
  for (const [isGiven, path, what] of [
    [overrides.playbook !== '', 'playbook', 'Another playbook'],
    [overrides.gitBranch !== null, 'git_branch', 'Another branch'],
  ] as const) {
    if (isGiven) problems.push({ path, message: `${what} needs the right to manage resources` });
  }
  const [first] = problems;
  if (first !== undefined) throw new AppError('invalid', first.message, problems);
}

function namesFile(pattern: string): boolean {
  return pattern.split(/[,:\s]/).some((part) => part.startsWith('@'));
}

function hasArguments(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && text !== '' && (JSON.parse(text) as unknown[]).length > 0;
}

const switches = ['debug', 'dry_run', 'diff', 'plan', 'destroy', 'auto_approve', 'upgrade', 'reconfigure'] as const;
const lists = ['limit', 'tags', 'skip_tags'] as const;
const overrideSwitches = {
  limit: 'allow_override_limit',
  tags: 'allow_override_tags',
  skip_tags: 'allow_override_skip_tags',
} as const;

/** Joins `params` and the top level members of the older product. */
function readParams(launch: Launch, defaults: TemplateParams): TaskParams {
  const switched = {
    debug: launch.debug,
    dry_run: launch.dry_run,
    diff: launch.diff,
    ...dropMissing(launch.params ?? {}),
  };
  const params: TaskParams = {};
  for (const name of switches) {
    const value = switched[name];
    if (value !== undefined) params[name] = value;
  }
  for (const name of lists) {
    const given = launch.params?.[name] ?? (name === 'limit' ? launch.limit : undefined);
    const patterns = readPatterns(given);
    const isDefault = patterns.join(',') === defaults[name].join(',');
    // A list that was emptied says something where it may be set; elsewhere, and as a text, it is what forms send of fields that they do not show.
    const isSaid = patterns.length > 0 || (Array.isArray(given) && defaults[overrideSwitches[name]]);
    if (isSaid && !isDefault) params[name] = patterns;
  }
  return params;
}

function dropMissing<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as Partial<T>;
}

function readPatterns(given: string | string[] | null | undefined): string[] {
  const parts = typeof given === 'string' ? given.split(',') : (given ?? []);
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}
