import { Button, NumberInput, Select, Switch, TagsInput, Textarea, TextInput } from '@mantine/core';
import type { Environment } from '@signalbox/contract/environments';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Key } from '@signalbox/contract/keys';
import type { Repository } from '@signalbox/contract/repositories';
import type { Template, TemplateInput } from '@signalbox/contract/templates';
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { ArgumentsPicker } from '../../ui/arguments-picker.tsx';
import { FormBanner } from '../../ui/form-banner.tsx';
import { SubmitKeys } from '../../ui/submit-keys.tsx';
import { readAppFields } from './app-fields.ts';
import css from './form.module.css';
import { FormSection } from './form-section.tsx';
import { OverrideSwitches } from './override-switches.tsx';
import { SurveyEditor } from './survey-editor.tsx';
import { findTemplateProblems, listTemplateTitles, type TemplateDraft, toTemplateInput } from './template-draft.ts';
import { TypeFields } from './type-fields.tsx';
import { VaultsEditor } from './vaults-editor.tsx';

export type TemplateChoices = {
  templates: readonly Template[];
  repositories: readonly Repository[];
  inventories: readonly Inventory[];
  environments: readonly Environment[];
  keys: readonly Key[];
};

type TemplateFormProps = {
  start: TemplateDraft;
  stored: Template | undefined;
  choices: TemplateChoices;
  submitLabel: string;
  isBusy: boolean;
  error: unknown;
  onSubmit: (input: TemplateInput) => void;
  onCancel: () => void;
};

/** Every field of a template, in the order in which one thinks of them. */
export function TemplateForm(props: TemplateFormProps) {
  const { start, stored, choices, isBusy } = props;
  const [draft, setDraft] = useState(start);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const formRef = useRef<HTMLFormElement>(null);
  const fields = readAppFields(draft.app);
  const banner = useRefusal(props.error, listTemplateTitles(draft.app), setErrors);
  const change = (part: Partial<TemplateDraft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    // What was wrong is looked at again with every change, and only then.
    if (Object.keys(errors).length > 0) setErrors(findTemplateProblems(next));
  };
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    const problems = findTemplateProblems(draft);
    setErrors(problems);
    if (Object.keys(problems).length === 0) props.onSubmit(toTemplateInput(draft, stored));
    // To the first field that is wrong; it may be far above the button.
    else requestAnimationFrame(() => formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  const handleKey = (event: KeyboardEvent<HTMLFormElement>): void => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || isBusy) return;
    event.preventDefault();
    event.currentTarget.requestSubmit();
  };
  return (
    <form ref={formRef} className={css.form} onSubmit={handleSubmit} onKeyDown={handleKey} noValidate>
      <FormBanner>{banner}</FormBanner>
      <FormSection title={t('templates.sectionGeneral')}>
        <TextInput
          label={t('templates.name')}
          withAsterisk
          autoFocus
          value={draft.name}
          error={errors.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <TypeFields draft={draft} errors={errors} templates={choices.templates} self={stored?.id} onChange={change} />
        <Textarea
          className={css.wide}
          label={t('templates.description')}
          minRows={2}
          value={draft.description}
          error={errors.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </FormSection>
      <FormSection title={t('templates.sectionCode')}>
        <TextInput
          label={t(fields.path)}
          withAsterisk={fields.isPathRequired}
          placeholder={fields.pathExample}
          className={css.mono}
          value={draft.playbook}
          error={errors.playbook}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => change({ playbook: event.currentTarget.value })}
        />
        <Choice
          label={t('templates.repository')}
          isRequired
          options={choices.repositories}
          value={draft.repositoryId}
          error={errors.repository_id}
          onChange={(repositoryId) => change({ repositoryId })}
        />
        <TextInput
          label={t('templates.branch')}
          placeholder={findBranch(choices.repositories, draft.repositoryId)}
          description={t('templates.branchHint')}
          value={draft.gitBranch}
          error={errors.git_branch}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => change({ gitBranch: event.currentTarget.value })}
        />
        <Choice
          label={t('templates.inventory')}
          isRequired={fields.isInventoryRequired}
          options={choices.inventories}
          value={draft.inventoryId}
          error={errors.inventory_id}
          onChange={(inventoryId) => change({ inventoryId })}
        />
        <Choice
          label={t('templates.environment')}
          isRequired={fields.isEnvironmentRequired}
          options={choices.environments}
          value={draft.environmentId}
          error={errors.environment_id}
          onChange={(environmentId) => change({ environmentId })}
        />
        <ArgumentsPicker
          app={draft.app}
          label={t('templates.arguments')}
          value={draft.arguments}
          error={errors.arguments}
          onChange={(next) => change({ arguments: next })}
        />
        {fields.isAnsible ? <AnsibleDefaults draft={draft} errors={errors} onChange={change} /> : null}
      </FormSection>
      <FormSection title={t('templates.survey')} hint={t('templates.surveyHint')} isStacked>
        <SurveyEditor value={draft.survey} error={errors.survey_vars} onChange={(survey) => change({ survey })} />
      </FormSection>
      <FormSection title={t('templates.sectionLaunch')} hint={t('templates.launchHint')} isStacked>
        <OverrideSwitches value={draft.allow} isAnsible={fields.isAnsible} onChange={(allow) => change({ allow })} />
      </FormSection>
      {fields.isAnsible ? (
        <FormSection title={t('templates.vaults')} hint={t('templates.vaultsHint')} isStacked>
          <VaultsEditor
            value={draft.vaults}
            keys={choices.keys}
            errors={errors}
            onChange={(vaults) => change({ vaults })}
          />
        </FormSection>
      ) : null}
      <FormSection title={t('templates.sectionRun')}>
        <Limits draft={draft} errors={errors} onChange={change} />
      </FormSection>
      <footer className={css.footer}>
        <Button onClick={props.onCancel}>{t('ui.cancel')}</Button>
        <Button type="submit" variant="primary" loading={isBusy} rightSection={<SubmitKeys />}>
          {props.submitLabel}
        </Button>
      </footer>
    </form>
  );
}

type PartProps = {
  draft: TemplateDraft;
  errors: Record<string, string>;
  onChange: (change: Partial<TemplateDraft>) => void;
};

const patternLists = [
  { member: 'limit', title: 'tasks.limit' },
  { member: 'tags', title: 'tasks.tags' },
  { member: 'skipTags', title: 'tasks.skipTags' },
] as const;

function AnsibleDefaults({ draft, errors, onChange }: PartProps) {
  return patternLists.map(({ member, title }) => (
    <TagsInput
      key={member}
      label={t(title)}
      value={draft[member]}
      error={errors[`task_params.${member === 'skipTags' ? 'skip_tags' : member}`]}
      splitChars={[',', ' ']}
      acceptValueOnBlur
      onChange={(value) => onChange({ [member]: value })}
    />
  ));
}

function Limits({ draft, errors, onChange }: PartProps) {
  return (
    <>
      <NumberInput
        label={t('templates.timeout')}
        description={t('templates.timeoutHint')}
        placeholder={t('templates.noTimeout')}
        allowDecimal={false}
        allowNegative={false}
        value={draft.timeoutSeconds}
        error={errors.timeout_seconds}
        onChange={(timeoutSeconds) => onChange({ timeoutSeconds })}
      />
      <NumberInput
        label={t('templates.grace')}
        description={t('templates.graceHint')}
        placeholder={t('templates.graceDefault')}
        allowDecimal={false}
        allowNegative={false}
        value={draft.graceSeconds}
        error={errors.stop_grace_seconds}
        onChange={(graceSeconds) => onChange({ graceSeconds })}
      />
      <TextInput
        label={t('templates.runnerTag')}
        description={t('templates.runnerTagHint')}
        value={draft.runnerTag}
        error={errors.runner_tag}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => onChange({ runnerTag: event.currentTarget.value })}
      />
      <div className={css.switches}>
        <Switch
          label={t('templates.parallel')}
          checked={draft.allowParallel}
          onChange={(event) => onChange({ allowParallel: event.currentTarget.checked })}
        />
        <Switch
          label={t('templates.quiet')}
          checked={draft.suppressSuccessAlerts}
          onChange={(event) => onChange({ suppressSuccessAlerts: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}

type ChoiceProps = {
  label: string;
  isRequired?: boolean;
  options: readonly { id: number; name: string }[];
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

function Choice({ label, isRequired = false, options, value, error, onChange }: ChoiceProps) {
  return (
    <Select
      label={label}
      withAsterisk={isRequired}
      placeholder={t(isRequired ? 'templates.choose' : 'templates.none')}
      nothingFoundMessage={t('templates.nothingFound')}
      searchable={options.length > 8}
      clearable={!isRequired}
      data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}

function findBranch(repositories: readonly Repository[], id: string | null): string {
  return repositories.find((repository) => String(repository.id) === id)?.git_branch ?? '';
}
