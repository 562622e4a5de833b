import { Textarea, TextInput } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { readAppFields } from './app-fields.ts';
import { Choice } from './choice.tsx';
import { CodeFields } from './code-fields.tsx';
import css from './form.module.css';
import { FormSection } from './form-section.tsx';
import { OverrideSwitches } from './override-switches.tsx';
import { CommitCheckFields, RunFields } from './run-fields.tsx';
import { SurveyEditor } from './survey-editor.tsx';
import type { TemplatePartProps } from './template-part.ts';
import { TypeFields } from './type-fields.tsx';
import { VaultsEditor } from './vaults-editor.tsx';

/** Every field of a template, in the order in which one thinks of them. */
export function TemplateFields(props: TemplatePartProps) {
  const { draft, errors, choices, self, onChange } = props;
  const { isAnsible } = readAppFields(draft.app);
  return (
    <>
      <FormSection title={t('templates.sectionGeneral')}>
        <TextInput
          label={t('templates.name')}
          withAsterisk
          autoFocus
          data-autofocus
          value={draft.name}
          error={errors.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        <TypeFields draft={draft} errors={errors} templates={choices.templates} self={self} onChange={onChange} />
        {choices.views.length > 0 ? (
          <Choice
            label={t('templates.view')}
            options={choices.views.map(({ id, title }) => ({ id, name: title }))}
            value={draft.viewId}
            error={errors.view_id}
            onChange={(viewId) => onChange({ viewId })}
          />
        ) : null}
        <Textarea
          className={css.wide}
          label={t('templates.description')}
          minRows={2}
          value={draft.description}
          error={errors.description}
          onChange={(event) => onChange({ description: event.currentTarget.value })}
        />
      </FormSection>
      <FormSection title={t('templates.sectionCode')}>
        <CodeFields {...props} />
      </FormSection>
      <FormSection title={t('templates.survey')} hint={t('templates.surveyHint')} isStacked>
        <SurveyEditor value={draft.survey} error={errors.survey_vars} onChange={(survey) => onChange({ survey })} />
      </FormSection>
      <FormSection title={t('templates.sectionLaunch')} hint={t('templates.launchHint')} isStacked>
        <OverrideSwitches value={draft.allow} isAnsible={isAnsible} onChange={(allow) => onChange({ allow })} />
      </FormSection>
      {isAnsible ? (
        <FormSection title={t('templates.vaults')} hint={t('templates.vaultsHint')} isStacked>
          <VaultsEditor
            value={draft.vaults}
            keys={choices.keys}
            errors={errors}
            onChange={(vaults) => onChange({ vaults })}
          />
        </FormSection>
      ) : null}
      <FormSection title={t('templates.sectionCheck')} hint={t('templates.checkHint')}>
        <CommitCheckFields {...props} />
      </FormSection>
      <FormSection title={t('templates.sectionRun')}>
        <RunFields {...props} />
      </FormSection>
    </>
  );
}
