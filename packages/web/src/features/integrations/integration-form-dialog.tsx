import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Integration } from '@signalbox/contract/integrations';
import type { Key } from '@signalbox/contract/keys';
import type { Template } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { keysQuery, templatesQuery } from '../../lib/project-lists.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { readParamOffer } from '../../ui/task-params.ts';
import { TaskParamsFields } from '../../ui/task-params-fields.tsx';
import { type IntegrationSave, useSaveIntegration } from './data.ts';
import {
  authMethodNames,
  draftOf,
  findIntegrationProblems,
  hasHeader,
  type IntegrationDraft,
  listTitles,
  toIntegrationInput,
} from './integration-draft.ts';
import css from './integrations.module.css';

type IntegrationFormProps = {
  projectId: number;
  /** The integration that is edited; undefined for a new one. */
  value: Integration | undefined;
  onClose: () => void;
};

/** The form of an integration, once all is there to choose from. */
export function IntegrationForm({ projectId, value, onClose }: IntegrationFormProps) {
  const { data: templates } = useQuery(templatesQuery(projectId));
  const { data: keys } = useQuery(keysQuery(projectId));
  const save = useSaveIntegration(projectId);
  if (templates === undefined || keys === undefined) return null;
  return (
    <IntegrationFormDialog
      value={value}
      templates={templates}
      keys={keys}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(change) => save.mutate(change, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

type IntegrationFormDialogProps = OpenForm<Integration, IntegrationSave> & {
  templates: readonly Template[];
  keys: readonly Key[];
};

function IntegrationFormDialog(props: IntegrationFormDialogProps) {
  const { value, templates, onSubmit, error } = props;
  const appOf = (id: string | null): string => templates.find((template) => String(template.id) === id)?.app ?? '';
  const form = useForm<IntegrationDraft>({ initialValues: draftOf(value), validate: findIntegrationProblems });
  const banner = useRefusal(error, listTitles(), form.setErrors);
  const draft = form.values;
  const app = appOf(draft.template_id);
  const secrets = props.keys.filter(({ type }) => type === 'login_password');
  const handleSubmit = form.onSubmit((sent) =>
    onSubmit({ id: value?.id, input: toIntegrationInput(sent, appOf(sent.template_id), value) }),
  );
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('integrations.new') : t('integrations.edit')}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={props.onClose}
      isBusy={props.isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('integrations.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('integrations.template')}
        withAsterisk
        searchable
        placeholder={t('integrations.chooseTemplate')}
        nothingFoundMessage={t('integrations.noTemplate')}
        description={templates.length === 0 ? t('integrations.templatesMissing') : undefined}
        data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('template_id')}
      />
      <Select
        label={t('integrations.auth')}
        description={draft.auth_method === 'none' ? t('integrations.authNoneHint') : undefined}
        data={Object.entries(authMethodNames).map(([method, title]) => ({ value: method, label: t(title) }))}
        {...form.getInputProps('auth_method')}
      />
      {hasHeader(draft) ? (
        <TextInput
          label={t('integrations.authHeader')}
          withAsterisk
          placeholder="X-Token"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('auth_header')}
        />
      ) : null}
      {draft.auth_method === 'none' ? null : (
        <Select
          label={t('integrations.authSecret')}
          withAsterisk
          searchable={secrets.length > 8}
          placeholder={t('integrations.chooseKey')}
          description={t(secrets.length === 0 ? 'integrations.keysMissing' : 'integrations.secretHint')}
          data={secrets.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps('auth_secret_id')}
        />
      )}
      {readParamOffer(app).switches.length === 0 ? null : (
        <div>
          <h3 className={css.part}>{t('integrations.options')}</h3>
          <TaskParamsFields
            app={app}
            value={draft.params}
            onChange={(params) => form.setFieldValue('params', params)}
          />
        </div>
      )}
    </FormDialog>
  );
}
