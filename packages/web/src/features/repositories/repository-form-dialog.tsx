import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { HostKeyPolicy } from '@signalbox/contract/host-keys';
import type { Key } from '@signalbox/contract/keys';
import { type Repository, RepositoryInput } from '@signalbox/contract/repositories';
import { findProblems } from '../../lib/form-problems.ts';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { HostKeySelect } from '../../ui/host-key-select.tsx';
import type { RepositorySave } from './data.ts';
import css from './repositories.module.css';
import { readUrlKind, rewriteUrl, urlKinds } from './url-kind.ts';

type RepositoryFormDialogProps = OpenForm<Repository, RepositorySave> & {
  keys: readonly Key[];
};

type Draft = {
  name: string;
  git_url: string;
  git_branch: string;
  ssh_key_id: string | null;
  host_key_policy: HostKeyPolicy;
};

function toInput(draft: Draft) {
  return {
    name: draft.name,
    git_url: draft.git_url.trim(),
    git_branch: draft.git_branch.trim(),
    ssh_key_id: draft.ssh_key_id === null ? null : Number(draft.ssh_key_id),
    host_key_policy: draft.host_key_policy,
  };
}

function listTitles() {
  return {
    name: t('repositories.name'),
    git_url: t('repositories.url'),
    git_branch: t('repositories.branch'),
    ssh_key_id: t('repositories.key'),
  };
}

export function RepositoryFormDialog({ value, keys, onSubmit, onClose, isBusy, error }: RepositoryFormDialogProps) {
  const form = useForm<Draft>({
    initialValues: {
      name: value?.name ?? '',
      git_url: value?.git_url ?? '',
      git_branch: value?.git_branch ?? '',
      ssh_key_id: value === undefined ? null : String(value.ssh_key_id),
      host_key_policy: value?.host_key_policy ?? 'accept-new',
    },
    validate: (draft) => findProblems(RepositoryInput, toInput(draft), listTitles()),
  });
  const banner = useRefusal(error, listTitles(), form.setErrors);
  const kind = readUrlKind(form.values.git_url);
  const handleSubmit = form.onSubmit((draft) => {
    const input = toInput(draft);
    // The check above has refused a form without a key.
    onSubmit({ id: value?.id, input: { ...input, ssh_key_id: input.ssh_key_id ?? 0 } });
  });
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('repositories.new') : t('repositories.edit')}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('repositories.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <div>
        <TextInput
          label={t('repositories.url')}
          withAsterisk
          placeholder={t('repositories.urlExample')}
          autoCapitalize="none"
          spellCheck={false}
          {...form.getInputProps('git_url')}
        />
        <fieldset className={css.chips} aria-label={t('repositories.urlKind')}>
          {urlKinds.map((each) => (
            <button
              key={each}
              type="button"
              className={css.chip}
              aria-pressed={kind === each}
              onClick={() => form.setFieldValue('git_url', rewriteUrl(form.values.git_url, each))}
            >
              {each}
            </button>
          ))}
        </fieldset>
      </div>
      <TextInput
        label={kind === 'local' ? t('repositories.branchOptional') : t('repositories.branch')}
        withAsterisk={kind !== 'local'}
        placeholder={kind === 'local' ? '' : t('repositories.branchExample')}
        description={kind === 'local' ? t('repositories.localHint') : undefined}
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('git_branch')}
      />
      <Select
        label={t('repositories.key')}
        withAsterisk
        searchable={keys.length > 8}
        placeholder={t('repositories.chooseKey')}
        nothingFoundMessage={t('repositories.noKey')}
        description={keys.length === 0 ? t('repositories.keysMissing') : undefined}
        data={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('ssh_key_id')}
      />
      {kind === 'ssh' && (
        <HostKeySelect
          value={form.values.host_key_policy}
          onChange={(policy) => form.setFieldValue('host_key_policy', policy)}
        />
      )}
    </FormDialog>
  );
}
