import { TagsInput, TextInput } from '@mantine/core';
import type { Repository } from '@signalbox/contract/repositories';
import { fitsApp, hasWorkspaces } from '../../lib/app-inventories.ts';
import { t } from '../../lib/i18n.ts';
import { ArgumentsPicker } from '../../ui/arguments-picker.tsx';
import { paramTitles } from '../../ui/task-params.ts';
import { readAppFields } from './app-fields.ts';
import { Choice } from './choice.tsx';
import css from './form.module.css';
import type { TemplatePartProps } from './template-part.ts';

/** Which code is run, with which inventory, variables and arguments. */
export function CodeFields({ draft, errors, choices, self, onChange }: TemplatePartProps) {
  const fields = readAppFields(draft.app);
  const isWorkspace = hasWorkspaces(draft.app);
  const inventories = choices.inventories.filter(
    // A workspace belongs to one template at most.
    ({ type, template_id: holder }) => fitsApp(draft.app, type) && (holder === null || holder === self),
  );
  return (
    <>
      <TextInput
        label={t(fields.path)}
        withAsterisk={fields.isPathRequired}
        placeholder={fields.pathExample}
        className={css.mono}
        value={draft.playbook}
        error={errors.playbook}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ playbook: event.currentTarget.value })}
      />
      <Choice
        label={t('templates.repository')}
        isRequired
        options={choices.repositories}
        value={draft.repositoryId}
        error={errors.repository_id}
        onChange={(repositoryId) => onChange({ repositoryId })}
      />
      <TextInput
        label={t('templates.branch')}
        placeholder={findBranch(choices.repositories, draft.repositoryId)}
        description={t('templates.branchHint')}
        value={draft.gitBranch}
        error={errors.git_branch}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ gitBranch: event.currentTarget.value })}
      />
      <Choice
        label={t(isWorkspace ? 'workspaces.workspace' : 'templates.inventory')}
        isRequired={fields.isInventoryRequired}
        {...(isWorkspace
          ? { placeholder: t('workspaces.makeDefault'), description: t('workspaces.makeDefaultHint') }
          : {})}
        options={inventories}
        value={draft.inventoryId}
        error={errors.inventory_id}
        onChange={(inventoryId) => onChange({ inventoryId })}
      />
      <Choice
        label={t('templates.environment')}
        isRequired={fields.isEnvironmentRequired}
        options={choices.environments}
        value={draft.environmentId}
        error={errors.environment_id}
        onChange={(environmentId) => onChange({ environmentId })}
      />
      <ArgumentsPicker
        app={draft.app}
        label={t('templates.arguments')}
        value={draft.arguments}
        error={errors.arguments}
        onChange={(next) => onChange({ arguments: next })}
      />
      {fields.isAnsible
        ? patternLists.map(({ member, name }) => (
            <TagsInput
              key={member}
              label={t(paramTitles[name])}
              value={draft[member]}
              error={errors[`task_params.${name}`]}
              splitChars={[',', ' ']}
              acceptValueOnBlur
              onChange={(value) => onChange({ [member]: value })}
            />
          ))
        : null}
    </>
  );
}

const patternLists = [
  { member: 'limit', name: 'limit' },
  { member: 'tags', name: 'tags' },
  { member: 'skipTags', name: 'skip_tags' },
] as const;

function findBranch(repositories: readonly Repository[], id: string | null): string {
  return repositories.find((repository) => String(repository.id) === id)?.git_branch ?? '';
}
