import type { Launch, Task, TaskParams } from '@signalbox/contract/tasks';
import type { SurveyVariable, Template } from '@signalbox/contract/templates';
import { hasWorkspaces } from '../../lib/app-inventories.ts';
import { t } from '../../lib/i18n.ts';
import { readArguments, readObject } from '../../lib/json-text.ts';
import { paramLists, paramTitles } from '../../ui/task-params.ts';

/** What the launch form holds. Answers are texts, as they are typed. */
export type LaunchDraft = {
  message: string;
  answers: Record<string, string>;
  buildTaskId: string | null;
  debug: boolean;
  dryRun: boolean;
  diff: boolean;
  plan: boolean;
  destroy: boolean;
  autoApprove: boolean;
  upgrade: boolean;
  reconfigure: boolean;
  limit: string[];
  tags: string[];
  skipTags: string[];
  inventoryId: string | null;
  arguments: string[];
  commitHash: string;
};

/** What of a template may be set at launch. */
export type Offer = {
  debug: boolean;
  /** Dry run and diff: only Ansible knows them. */
  check: boolean;
  /** Plan, destroy and auto approve: of tools whose plans wait for a confirmation. */
  plan: boolean;
  /** Upgrade and reconfigure, which Terraform and OpenTofu know. */
  init: boolean;
  limit: boolean;
  tags: boolean;
  skipTags: boolean;
  inventory: boolean;
  arguments: boolean;
  build: boolean;
};

/** What may be set at launch besides the survey: what the app knows, as far as the template lets it. */
export function readOffer(template: Template): Offer {
  const isAnsible = template.app === 'ansible';
  const isTerraform = hasWorkspaces(template.app);
  const { task_params: params } = template;
  return {
    debug: isAnsible && params.allow_debug,
    check: isAnsible,
    plan: isTerraform || template.app === 'pulumi',
    init: isTerraform,
    limit: isAnsible && params.allow_override_limit,
    tags: isAnsible && params.allow_override_tags,
    skipTags: isAnsible && params.allow_override_skip_tags,
    inventory: params.allow_override_inventory,
    arguments: template.allow_override_args_in_task,
    build: template.type === 'deploy',
  };
}

/** The form of a template that is launched for the first time, or with the values of one of its tasks. */
export function startDraft(template: Template, from?: Task): LaunchDraft {
  const given = readObject(from?.environment ?? '') ?? {};
  const params: TaskParams = from?.params ?? {};
  const defaults = template.task_params;
  return {
    message: from?.message ?? '',
    answers: Object.fromEntries(template.survey_vars.map((variable) => [variable.name, chooseAnswer(variable, given)])),
    buildTaskId: from?.build_task_id ? String(from.build_task_id) : null,
    debug: params.debug === true,
    dryRun: params.dry_run === true,
    diff: params.diff === true,
    plan: params.plan === true,
    destroy: params.destroy === true,
    // Who wrote the template has decided this for triggers; a person sees it, and can decide otherwise.
    autoApprove: from === undefined ? defaults.auto_approve : params.auto_approve === true,
    upgrade: params.upgrade === true,
    reconfigure: params.reconfigure === true,
    limit: params.limit ?? defaults.limit,
    tags: params.tags ?? defaults.tags,
    skipTags: params.skip_tags ?? defaults.skip_tags,
    inventoryId: toIdText(from?.inventory_id ?? template.inventory_id),
    arguments: readArguments(from?.arguments),
    // The commit of the older task would be run again, whatever was pushed since; who wants that types it.
    commitHash: '',
  };
}

/** What is sent. Only what the template lets be set, and no answer to an optional question that was left empty. */
export function toLaunch(template: Template, draft: LaunchDraft): Launch {
  const offer = readOffer(template);
  const secrets = template.survey_vars.filter(({ type }) => type === 'secret');
  const plain = template.survey_vars.filter(({ type }) => type !== 'secret');
  const params: NonNullable<Launch['params']> = {};
  if (offer.debug) params.debug = draft.debug;
  if (offer.check) Object.assign(params, { dry_run: draft.dryRun, diff: draft.diff });
  if (offer.plan) {
    Object.assign(params, { plan: draft.plan, destroy: draft.destroy, auto_approve: draft.autoApprove });
  }
  if (offer.init) Object.assign(params, { upgrade: draft.upgrade, reconfigure: draft.reconfigure });
  if (offer.limit) params.limit = draft.limit;
  if (offer.tags) params.tags = draft.tags;
  if (offer.skipTags) params.skip_tags = draft.skipTags;
  return {
    template_id: template.id,
    message: draft.message.trim(),
    params,
    environment: writeAnswers(plain, draft),
    secret: writeAnswers(secrets, draft),
    ...(offer.build ? { build_task_id: toId(draft.buildTaskId) } : {}),
    ...(offer.inventory ? { inventory_id: toId(draft.inventoryId) } : {}),
    ...(offer.arguments && draft.arguments.length > 0 ? { arguments: JSON.stringify(draft.arguments) } : {}),
    ...(draft.commitHash.trim() === '' ? {} : { commit_hash: draft.commitHash.trim() }),
  };
}

/** Paths of the form's fields, as the server names them in a refusal too. */
export function listLaunchTitles(template: Template): Record<string, string> {
  return {
    ...Object.fromEntries(template.survey_vars.map(({ name, title }) => [`environment.${name}`, title])),
    ...Object.fromEntries(template.survey_vars.map(({ name, title }) => [`secret.${name}`, title])),
    build_task_id: t('launch.build'),
    message: t('tasks.message'),
    commit_hash: t('launch.commit'),
    inventory_id: t('tasks.inventory'),
    arguments: t('tasks.arguments'),
    ...Object.fromEntries(paramLists.map((name) => [`params.${name}`, t(paramTitles[name])])),
  };
}

/** What is wrong with a draft, by the path of the field. */
export function findLaunchProblems(template: Template, draft: LaunchDraft): Record<string, string> {
  const problems: Record<string, string> = {};
  for (const variable of template.survey_vars) {
    const problem = findAnswerProblem(variable, draft.answers[variable.name] ?? '');
    if (problem !== undefined) problems[`environment.${variable.name}`] = problem;
  }
  if (readOffer(template).build && draft.buildTaskId === null) {
    problems.build_task_id = t('field.required', { field: t('launch.build') });
  }
  if (draft.message.length > 250) problems.message = t('field.tooLong', { field: t('tasks.message') });
  if (!/^(?:[0-9a-fA-F]{7,64})?$/.test(draft.commitHash.trim())) problems.commit_hash = t('launch.badCommit');
  return problems;
}

function findAnswerProblem({ type, title, required, values }: SurveyVariable, answer: string): string | undefined {
  if (answer === '') return required ? t('field.required', { field: title }) : undefined;
  if (type === 'int' && !/^\d+$/.test(answer.trim())) return t('field.notInteger');
  if (type === 'enum' && !values.some(({ value }) => value === answer)) return t('field.required', { field: title });
  return undefined;
}

/** Secret answers are stored nowhere, so they are always asked for again. */
function chooseAnswer({ name, type, values }: SurveyVariable, given: Record<string, unknown>): string {
  if (type === 'secret' || !Object.hasOwn(given, name)) return '';
  const value = given[name];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return type === 'enum' && !values.some((each) => each.value === text) ? '' : text;
}

function writeAnswers(variables: SurveyVariable[], draft: LaunchDraft): string {
  const answers = variables
    .map(({ name, type }): [string, string] => {
      const answer = draft.answers[name] ?? '';
      return [name, type === 'int' ? answer.trim() : answer];
    })
    .filter(([, answer]) => answer !== '');
  return JSON.stringify(Object.fromEntries(answers));
}

function toIdText(id: number | null): string | null {
  return id === null ? null : String(id);
}

function toId(text: string | null): number | null {
  return text === null ? null : Number(text);
}
