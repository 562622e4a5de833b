import type { Schedule } from '@signalbox/contract/schedules';
import { type SurveyVariable, type Template, TemplateInput, type TemplateType } from '@signalbox/contract/templates';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { readArguments } from '../../lib/json-text.ts';
import { paramLists, paramTitles } from '../../ui/task-params.ts';
import { readAppFields } from './app-fields.ts';
import { type CommitCheck, commitCheckOf } from './commit-check.ts';
import { findVaultProblems, type VaultDraft, vaultDraftOf, vaultOf } from './vault-draft.ts';

/** What the form of a template holds. Ids are texts, as lists of choices want them; times are in minutes and seconds. */
export type TemplateDraft = {
  app: string;
  name: string;
  description: string;
  type: TemplateType;
  startVersion: string;
  buildTemplateId: string | null;
  autorun: boolean;
  playbook: string;
  repositoryId: string | null;
  gitBranch: string;
  inventoryId: string | null;
  environmentId: string | null;
  viewId: string | null;
  arguments: string[];
  limit: string[];
  tags: string[];
  skipTags: string[];
  allow: { arguments: boolean; inventory: boolean; limit: boolean; tags: boolean; skipTags: boolean; debug: boolean };
  autoApprove: boolean;
  commitCheck: CommitCheck;
  runnerTag: string;
  allowParallel: boolean;
  suppressSuccessAlerts: boolean;
  timeoutSeconds: number | string;
  graceSeconds: number | string;
  survey: SurveyVariable[];
  vaults: VaultDraft[];
};

/** The form for a new template of an app. */
export function newDraft(app: string, viewId: number | null = null): TemplateDraft {
  return {
    app,
    name: '',
    description: '',
    type: '',
    startVersion: '',
    buildTemplateId: null,
    autorun: false,
    playbook: '',
    repositoryId: null,
    gitBranch: '',
    inventoryId: null,
    environmentId: null,
    viewId: toText(viewId),
    arguments: [],
    limit: [],
    tags: [],
    skipTags: [],
    allow: { arguments: false, inventory: false, limit: false, tags: false, skipTags: false, debug: false },
    autoApprove: false,
    commitCheck: commitCheckOf(undefined),
    runnerTag: '',
    allowParallel: false,
    suppressSuccessAlerts: false,
    timeoutSeconds: '',
    graceSeconds: '',
    survey: [],
    vaults: [],
  };
}

/** @param schedule the one by which the template looks for new commits, where it has one */
export function draftOf(template: Template, schedule?: Schedule): TemplateDraft {
  const { task_params: params } = template;
  return {
    app: template.app,
    name: template.name,
    description: template.description,
    type: template.type,
    startVersion: template.start_version ?? '',
    buildTemplateId: toText(template.build_template_id),
    autorun: template.autorun,
    playbook: template.playbook,
    repositoryId: toText(template.repository_id),
    gitBranch: template.git_branch ?? '',
    inventoryId: toText(template.inventory_id),
    environmentId: toText(template.environment_id),
    viewId: toText(template.view_id),
    arguments: readArguments(template.arguments),
    limit: params.limit,
    tags: params.tags,
    skipTags: params.skip_tags,
    allow: {
      arguments: template.allow_override_args_in_task,
      inventory: params.allow_override_inventory,
      limit: params.allow_override_limit,
      tags: params.allow_override_tags,
      skipTags: params.allow_override_skip_tags,
      debug: params.allow_debug,
    },
    autoApprove: params.auto_approve,
    commitCheck: commitCheckOf(schedule),
    runnerTag: template.runner_tag ?? '',
    allowParallel: template.allow_parallel_tasks,
    suppressSuccessAlerts: template.suppress_success_alerts,
    timeoutSeconds: template.timeout_seconds === 0 ? '' : template.timeout_seconds,
    graceSeconds: template.stop_grace_seconds ?? '',
    survey: template.survey_vars,
    vaults: template.vaults.map(vaultDraftOf),
  };
}

/**
 * A copy is a new template: it gets a name of its own, and its vaults are new ones.
 *
 * @throws Error when the original came without survey variables or vaults: a copy must not lose them silently
 */
export function copyOf(template: Template, schedule?: Schedule): TemplateDraft {
  const { survey_vars: survey, vaults: opened }: Partial<Template> = template;
  if (!Array.isArray(survey) || !Array.isArray(opened)) throw new Error(t('templates.cannotCopy'));
  const draft = draftOf(template, schedule);
  const vaults = draft.vaults.map((vault) => ({ ...vault, id: undefined }));
  return { ...draft, name: t('templates.copyName', { name: template.name }), vaults };
}

/** What is sent. */
export function toTemplateInput(draft: TemplateDraft): TemplateInput {
  const { isAnsible, hasPlans } = readAppFields(draft.app);
  return {
    app: draft.app,
    name: draft.name.trim(),
    description: draft.description,
    type: draft.type,
    start_version: draft.type === 'build' ? draft.startVersion.trim() : null,
    build_template_id: draft.type === 'deploy' ? toId(draft.buildTemplateId) : null,
    autorun: draft.type === 'deploy' && draft.autorun,
    playbook: draft.playbook.trim(),
    repository_id: toId(draft.repositoryId),
    git_branch: draft.gitBranch.trim(),
    inventory_id: toId(draft.inventoryId),
    environment_id: toId(draft.environmentId),
    view_id: toId(draft.viewId),
    arguments: draft.arguments.length === 0 ? null : JSON.stringify(draft.arguments),
    allow_override_args_in_task: draft.allow.arguments,
    allow_parallel_tasks: draft.allowParallel,
    survey_vars: draft.survey,
    vaults: isAnsible ? draft.vaults.map(vaultOf) : [],
    task_params: {
      limit: isAnsible ? draft.limit : [],
      tags: isAnsible ? draft.tags : [],
      skip_tags: isAnsible ? draft.skipTags : [],
      allow_override_inventory: draft.allow.inventory,
      allow_override_limit: isAnsible && draft.allow.limit,
      allow_override_tags: isAnsible && draft.allow.tags,
      allow_override_skip_tags: isAnsible && draft.allow.skipTags,
      allow_debug: isAnsible && draft.allow.debug,
      auto_approve: hasPlans && draft.autoApprove,
    },
    runner_tag: draft.runnerTag.trim() === '' ? null : draft.runnerTag.trim(),
    suppress_success_alerts: draft.suppressSuccessAlerts,
    timeout_seconds: toSeconds(draft.timeoutSeconds) ?? 0,
    stop_grace_seconds: toSeconds(draft.graceSeconds),
  };
}

/** Title of every field, by its name on the wire: for what is wrong with it, here and in an answer of the server. */
export function listTemplateTitles(app: string): Record<string, string> {
  return {
    name: t('templates.name'),
    description: t('templates.description'),
    playbook: t(readAppFields(app).path),
    repository_id: t('templates.repository'),
    git_branch: t('templates.branch'),
    inventory_id: t('templates.inventory'),
    environment_id: t('templates.environment'),
    view_id: t('templates.view'),
    start_version: t('templates.startVersion'),
    build_template_id: t('templates.buildTemplate'),
    arguments: t('templates.arguments'),
    ...Object.fromEntries(paramLists.map((name) => [`task_params.${name}`, t(paramTitles[name])])),
    runner_tag: t('templates.runnerTag'),
    timeout_seconds: t('templates.timeout'),
    stop_grace_seconds: t('templates.grace'),
    survey_vars: t('templates.survey'),
    vaults: t('templates.vaults'),
    cron_repository: t('templates.checkRepository'),
    cron_format: t('templates.checkInterval'),
  };
}

/** What is wrong with a draft, by the wire's name of the field; for vaults also by their place in the list. */
export function findTemplateProblems(draft: TemplateDraft): Record<string, string> {
  const titles = listTemplateTitles(draft.app);
  const input = toTemplateInput(draft);
  const required: Record<string, boolean> = {
    playbook: readAppFields(draft.app).isPathRequired && input.playbook === '',
    repository_id: draft.repositoryId === null,
    inventory_id: readAppFields(draft.app).isInventoryRequired && draft.inventoryId === null,
    environment_id: readAppFields(draft.app).isEnvironmentRequired && draft.environmentId === null,
    start_version: draft.type === 'build' && draft.startVersion.trim() === '',
    build_template_id: draft.type === 'deploy' && draft.buildTemplateId === null,
    cron_repository: draft.commitCheck.isOn && draft.commitCheck.repositoryId === null,
  };
  const missing = Object.entries(required)
    .filter(([, isMissing]) => isMissing)
    .map(([field]): [string, string] => [field, t('field.required', { field: titles[field] ?? '' })]);
  const vaults = readAppFields(draft.app).isAnsible ? findVaultProblems(draft.vaults) : {};
  // The vaults have words of their own; those of the schema would say the same once more, above the list.
  const { vaults: _, ...problems } = findProblems(TemplateInput, input, titles);
  return { ...problems, ...Object.fromEntries(missing), ...vaults };
}

function toText(id: number | null): string | null {
  return id === null ? null : String(id);
}

function toId(text: string | null): number | null {
  return text === null ? null : Number(text);
}

/** An empty field is no number; anything else is left to the schema. */
function toSeconds(value: number | string): number | null {
  return value === '' ? null : Number(value);
}
