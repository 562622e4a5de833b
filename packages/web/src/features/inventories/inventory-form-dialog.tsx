import { Select, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Key } from '@signalbox/contract/keys';
import type { Repository } from '@signalbox/contract/repositories';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { CodeEditor } from '../../ui/code-editor.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { HostKeySelect } from '../../ui/host-key-select.tsx';
import type { InventorySave } from './data.ts';
import {
  draftOf,
  editableTypes,
  findInventoryProblems,
  type InventoryDraft,
  inventoryTypeNames,
  listTitles,
  toInventoryInput,
} from './inventory-draft.ts';

type InventoryFormDialogProps = OpenForm<Inventory, InventorySave> & {
  keys: readonly Key[];
  repositories: readonly Repository[];
};

export function InventoryFormDialog(props: InventoryFormDialogProps) {
  const { value, keys, onSubmit, error } = props;
  const form = useForm<InventoryDraft>({ initialValues: draftOf(value), validate: findInventoryProblems });
  const banner = useRefusal(error, listTitles(), ({ inventory, ...problems }) =>
    form.setErrors({ ...problems, ...(inventory === undefined ? {} : { path: inventory, content: inventory }) }),
  );
  const handleSubmit = form.onSubmit((draft) => onSubmit({ id: value?.id, input: toInventoryInput(draft) }));
  const becomeKeys = keys.filter(({ type }) => type === 'login_password');
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('inventories.new') : t('inventories.edit')}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={props.onClose}
      isBusy={props.isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('inventories.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('inventories.userKey')}
        withAsterisk
        searchable={keys.length > 8}
        placeholder={t('inventories.chooseKey')}
        description={keys.length === 0 ? t('inventories.keysMissing') : undefined}
        data={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('ssh_key_id')}
      />
      <Select
        label={t('inventories.becomeKeyOptional')}
        clearable
        allowDeselect
        searchable={becomeKeys.length > 8}
        placeholder={t('inventories.noBecomeKey')}
        data={becomeKeys.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('become_key_id')}
      />
      <Select
        label={t('inventories.type')}
        withAsterisk
        placeholder={t('inventories.chooseType')}
        data={editableTypes.map((type) => ({ value: type, label: t(inventoryTypeNames[type]) }))}
        {...form.getInputProps('type')}
      />
      <PlaceFields form={form} repositories={props.repositories} />
      <HostKeySelect
        value={form.values.host_key_policy}
        onChange={(policy) => form.setFieldValue('host_key_policy', policy)}
      />
    </FormDialog>
  );
}

type PlaceFieldsProps = {
  form: Pick<UseFormReturnType<InventoryDraft>, 'values' | 'getInputProps' | 'setFieldValue' | 'errors'>;
  repositories: readonly Repository[];
};

/** Where the hosts stand: in a file of a repository, or right here. */
function PlaceFields({ form, repositories }: PlaceFieldsProps) {
  const { type, content } = form.values;
  if (type === 'file') {
    return (
      <>
        <TextInput
          label={t('inventories.path')}
          withAsterisk
          placeholder="inventories/prod/hosts.yml"
          spellCheck={false}
          autoCapitalize="none"
          {...form.getInputProps('path')}
        />
        <Select
          label={t('inventories.repositoryOptional')}
          clearable
          allowDeselect
          searchable={repositories.length > 8}
          placeholder={t('inventories.sameRepository')}
          data={repositories.map(({ id, name }) => ({ value: String(id), label: name }))}
          {...form.getInputProps('repository_id')}
        />
      </>
    );
  }
  if (type !== 'static' && type !== 'static-yaml') return null;
  return (
    <CodeEditor
      label={t('inventories.content')}
      language={type === 'static' ? 'ini' : 'yaml'}
      rows={8}
      value={content}
      onChange={(text) => form.setFieldValue('content', text)}
      error={form.errors.content}
      placeholder={type === 'static' ? '[website]\n172.18.8.40\n172.18.8.41' : 'all:\n  hosts:\n    web-01:'}
    />
  );
}
