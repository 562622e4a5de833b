import { type Template, TemplateInput, type TemplateType } from '@signalbox/contract/templates';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import { draftSurvey, type SurveyDraft, toSurvey } from './survey-draft.ts';
import { draftVaults, findVaultProblems, toVaults, type VaultDraft } from './vault-draft.ts';

/** A template as its form edits it: ids and numbers are texts, lists are lists. */
export type TemplateDraft = {
  name: string;
  description: string;
  app: string;
  type: TemplateType;
  startVersion: string;
  buildTemplateId: string | null;
  autorun: boolean;
  playbook: string;
  inventoryId: string | null;
  repositoryId: string | null;
  environmentId: string | null;
  branch: string;
  arguments: string[];
  limit: string[];
  tags: string[];
  skipTags: string[];
  allowInventory: boolean;
  allowLimit: boolean;
  allowTags: boolean;
  allowSkipTags: boolean;
  allowArguments: boolean;
  allowDebug: boolean;
  allowParallel: boolean;
  suppressSuccessAlerts: boolean;
  runnerTag: string;
  timeout: string;
  grace: string;
  survey: SurveyDraft[];
  vaults: VaultDraft[];
};

const toText = (value: number | null | undefined): string | null => (value ? String(value) : null);
const toId = (text: string | null): number | null => (text === null ? null : Number(text));

/** @param app of a new template */
export function draftOf(template: Template | undefined, app: string): TemplateDraft {
  const params = template?.task_params;
  return {
    name: template?.name ?? '',
    description: template?.description ?? '',
    app: template?.app ?? app,
    type: template?.type ?? '',
    startVersion: template?.start_version ?? '',
    buildTemplateId: toText(template?.build_template_id),
    autorun: template?.autorun ?? false,
    playbook: template?.playbook ?? '',
    inventoryId: toText(template?.inventory_id),
    repositoryId: toText(template?.repository_id),
    environmentId: toText(template?.environment_id),
    branch: template?.git_branch ?? '',
    arguments: readArguments(template?.arguments),
    limit: params?.limit ?? [],
    tags: params?.tags ?? [],
    skipTags: params?.skip_tags ?? [],
    allowInventory: params?.allow_override_inventory ?? false,
    allowLimit: params?.allow_override_limit ?? false,
    allowTags: params?.allow_override_tags ?? false,
    allowSkipTags: params?.allow_override_skip_tags ?? false,
    allowArguments: template?.allow_override_args_in_task ?? false,
    allowDebug: params?.allow_debug ?? false,
    allowParallel: template?.allow_parallel_tasks ?? false,
    suppressSuccessAlerts: template?.suppress_success_alerts ?? false,
    runnerTag: template?.runner_tag ?? '',
    timeout: toText(template?.timeout_seconds) ?? '',
    grace: toText(template?.stop_grace_seconds) ?? '',
    survey: draftSurvey(template?.survey_vars ?? []),
    vaults: draftVaults(template?.vaults ?? []),
  };
}

function readArguments(json: string | null | undefined): string[] {
  const value: unknown = json ? JSON.parse(json) : [];
  return Array.isArray(value) ? value.map(String) : [];
}

/** Everything that the form shows; what its type or app does not have is emptied. */
export function toTemplateInput(draft: TemplateDraft, before: Template | undefined): TemplateInput {
  const isAnsible = draft.app === 'ansible';
  const list = (values: string[]): string[] => (isAnsible ? values : []);
  return {
    name: draft.name.trim(),
    description: draft.description.trim(),
    app: draft.app,
    type: draft.type,
    start_version: draft.type === 'build' ? draft.startVersion.trim() : null,
    build_template_id: draft.type === 'deploy' ? toId(draft.buildTemplateId) : null,
    autorun: draft.type === 'deploy' && draft.autorun,
    playbook: draft.playbook.trim(),
    inventory_id: isAnsible ? toId(draft.inventoryId) : (before?.inventory_id ?? null),
    repository_id: toId(draft.repositoryId),
    environment_id: toId(draft.environmentId),
    git_branch: draft.branch.trim() === '' ? null : draft.branch.trim(),
    arguments: draft.arguments.length === 0 ? null : JSON.stringify(draft.arguments),
    allow_override_args_in_task: draft.allowArguments,
    allow_parallel_tasks: draft.allowParallel,
    suppress_success_alerts: draft.suppressSuccessAlerts,
    runner_tag: draft.runnerTag.trim() === '' ? null : draft.runnerTag.trim(),
    timeout_seconds: draft.timeout.trim() === '' ? 0 : Number(draft.timeout),
    stop_grace_seconds: draft.grace.trim() === '' ? null : Number(draft.grace),
    task_params: {
      limit: list(draft.limit),
      tags: list(draft.tags),
      skip_tags: list(draft.skipTags),
      allow_override_inventory: isAnsible && draft.allowInventory,
      allow_override_limit: isAnsible && draft.allowLimit,
      allow_override_tags: isAnsible && draft.allowTags,
      allow_override_skip_tags: isAnsible && draft.allowSkipTags,
      allow_debug: isAnsible && draft.allowDebug,
      auto_approve: before?.task_params.auto_approve ?? false,
    },
    survey_vars: toSurvey(draft.survey),
    vaults: isAnsible ? toVaults(draft.vaults) : [],
  };
}

/** Title of every field that can be refused, by its name on the wire. */
export function listTitles(app: string): Record<string, string> {
  return {
    name: t('templateForm.name'),
    description: t('templateForm.description'),
    app: t('templateForm.app'),
    playbook: app === 'ansible' ? t('templateForm.playbook') : t('templateForm.script'),
    start_version: t('templateForm.startVersion'),
    build_template_id: t('templateForm.buildTemplate'),
    inventory_id: t('templateForm.inventory'),
    repository_id: t('templateForm.repository'),
    environment_id: t('templateForm.environment'),
    git_branch: t('templateForm.branch'),
    arguments: t('templateForm.arguments'),
    runner_tag: t('templateForm.runnerTag'),
    timeout_seconds: t('templateForm.timeout'),
    stop_grace_seconds: t('templateForm.grace'),
    'task_params.limit': t('templateForm.limit'),
    'task_params.tags': t('templateForm.tags'),
    'task_params.skip_tags': t('templateForm.skipTags'),
    survey_vars: t('templateForm.survey'),
    vaults: t('templateForm.vaults'),
  };
}

/** Problems by the name of the field on the wire. */
export function findTemplateProblems(draft: TemplateDraft, before: Template | undefined): Record<string, string> {
  const titles = listTitles(draft.app);
  const input = toTemplateInput(draft, before);
  const problems = findProblems(TemplateInput, input, titles);
  const demand = (field: string, isThere: unknown): void => {
    if (!isThere) problems[field] ??= t('field.required', { field: titles[field] ?? '' });
  };
  demand('playbook', input.playbook);
  demand('repository_id', input.repository_id);
  if (draft.app === 'ansible') demand('inventory_id', input.inventory_id);
  if (draft.type === 'build') demand('start_version', input.start_version);
  if (draft.type === 'deploy') demand('build_template_id', input.build_template_id);
  const vaults = draft.app === 'ansible' ? findVaultProblems(draft.vaults) : undefined;
  if (vaults !== undefined) problems.vaults = vaults;
  return problems;
}
