import { Input, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import type { Template, TemplateType } from '@signalbox/contract/templates';
import { useId } from 'react';
import { t } from '../../lib/i18n.ts';
import { describeType } from './app-fields.ts';
import css from './form.module.css';
import type { TemplateDraft } from './template-draft.ts';

const types = ['', 'build', 'deploy'] as const satisfies readonly TemplateType[];
/** A segmented control cannot have the empty text as a value. */
const taskValue = 'task';

type TypeFieldsProps = {
  draft: TemplateDraft;
  errors: Record<string, string>;
  templates: readonly Template[];
  /** Id of the template itself, which cannot build what it deploys. */
  self: number | undefined;
  onChange: (change: Partial<TemplateDraft>) => void;
};

/** Task, build or deploy, and what the latter two need. */
export function TypeFields({ draft, errors, templates, self, onChange }: TypeFieldsProps) {
  const id = useId();
  const builders = templates.filter((template) => template.type !== '' && template.id !== self);
  return (
    <>
      <div>
        <Input.Label id={id} component="div">
          {t('templates.type')}
        </Input.Label>
        <SegmentedControl
          fullWidth
          aria-labelledby={id}
          data={types.map((type) => ({ value: type === '' ? taskValue : type, label: describeType(type) }))}
          value={draft.type === '' ? taskValue : draft.type}
          onChange={(value) => onChange({ type: types.find((type) => type === value) ?? '' })}
        />
      </div>
      {draft.type === 'build' ? (
        <TextInput
          label={t('templates.startVersion')}
          description={t('templates.startVersionHint')}
          placeholder="0.0.0"
          withAsterisk
          value={draft.startVersion}
          error={errors.start_version}
          onChange={(event) => onChange({ startVersion: event.currentTarget.value })}
        />
      ) : null}
      {draft.type === 'deploy' ? (
        <>
          <Select
            label={t('templates.buildTemplate')}
            withAsterisk
            placeholder={t('templates.choose')}
            description={builders.length === 0 ? t('templates.noBuildTemplate') : undefined}
            data={builders.map((template) => ({ value: String(template.id), label: template.name }))}
            value={draft.buildTemplateId}
            error={errors.build_template_id}
            onChange={(buildTemplateId) => onChange({ buildTemplateId })}
          />
          <div className={css.lone}>
            <Switch
              label={t('templates.autorun')}
              checked={draft.autorun}
              onChange={(event) => onChange({ autorun: event.currentTarget.checked })}
            />
          </div>
        </>
      ) : null}
    </>
  );
}
