import { Autocomplete, NumberInput, Select, Switch } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { readAppFields } from './app-fields.ts';
import { Choice } from './choice.tsx';
import { listIntervals } from './commit-check.ts';
import css from './form.module.css';
import type { TemplatePartProps } from './template-part.ts';

/** Where and for how long tasks run, and what is said about them. */
export function RunFields({ draft, errors, choices, onChange }: TemplatePartProps) {
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
      <Autocomplete
        label={t('templates.runnerTag')}
        description={t(choices.hasRunnerTags ? 'templates.runnerTagHint' : 'templates.runnerTagOff')}
        disabled={!choices.hasRunnerTags}
        data={choices.runnerTags}
        value={draft.runnerTag}
        error={errors.runner_tag}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(runnerTag) => onChange({ runnerTag })}
      />
      <div className={css.switches}>
        <Switch
          label={t('templates.parallel')}
          checked={draft.allowParallel}
          onChange={(event) => onChange({ allowParallel: event.currentTarget.checked })}
        />
        {readAppFields(draft.app).hasPlans ? (
          <Switch
            label={t('templates.autoApprove')}
            description={t('templates.autoApproveHint')}
            checked={draft.autoApprove}
            onChange={(event) => onChange({ autoApprove: event.currentTarget.checked })}
          />
        ) : null}
        <Switch
          label={t('templates.quiet')}
          checked={draft.suppressSuccessAlerts}
          onChange={(event) => onChange({ suppressSuccessAlerts: event.currentTarget.checked })}
        />
      </div>
    </>
  );
}

/** The option to run by itself when a repository has a new commit. */
export function CommitCheckFields({ draft, errors, choices, onChange }: TemplatePartProps) {
  const { commitCheck: check } = draft;
  const change = (part: Partial<typeof check>): void => onChange({ commitCheck: { ...check, ...part } });
  return (
    <>
      <div className={css.switches}>
        <Switch
          label={t('templates.checkCommits')}
          checked={check.isOn}
          onChange={(event) => {
            const isOn = event.currentTarget.checked;
            // Most often it is the template's own repository that is watched.
            change({ isOn, repositoryId: check.repositoryId ?? (isOn ? draft.repositoryId : null) });
          }}
        />
      </div>
      {check.isOn ? (
        <>
          <Choice
            label={t('templates.checkRepository')}
            isRequired
            options={choices.repositories}
            value={check.repositoryId}
            error={errors.cron_repository}
            onChange={(repositoryId) => change({ repositoryId })}
          />
          <Select
            label={t('templates.checkInterval')}
            withAsterisk
            allowDeselect={false}
            data={listIntervals(check.cron)}
            value={check.cron}
            error={errors.cron_format}
            onChange={(cron) => change({ cron: cron ?? check.cron })}
          />
        </>
      ) : null}
    </>
  );
}
