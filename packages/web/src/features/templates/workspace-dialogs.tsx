import { Select, TextInput } from '@mantine/core';
import { type Inventory, isWorkspaceName } from '@signalbox/contract/inventories';
import type { Key } from '@signalbox/contract/keys';
import type { Template } from '@signalbox/contract/templates';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useCreateWorkspace, useWorkspaceStep } from './workspace-data.ts';

type NewWorkspaceDialogProps = { template: Template; keys: readonly Key[]; onClose: () => void };

/** Makes a workspace of the template. */
export function NewWorkspaceDialog({ template, keys, onClose }: NewWorkspaceDialogProps) {
  const create = useCreateWorkspace(template);
  const [name, setName] = useState('');
  const [keyId, setKeyId] = useState<string | null>(null);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const titles = { inventory: t('workspaces.name'), name: t('workspaces.name'), ssh_key_id: t('workspaces.key') };
  const banner = useRefusal(create.error, titles, setErrors);
  const handleSubmit = (): void => {
    const problems = findWorkspaceProblems(name, keyId);
    setErrors(problems);
    if (Object.keys(problems).length > 0) return;
    create.mutate(
      { name: name.trim(), keyId: Number(keyId) },
      {
        onSuccess: () => {
          showSuccess(t('workspaces.created', { name: name.trim() }));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      isOpen
      title={t('workspaces.new')}
      subtitle={template.name}
      submitLabel={t('ui.create')}
      onSubmit={handleSubmit}
      onClose={onClose}
      isBusy={create.isPending}
      isDirty={name !== '' || keyId !== null}
      error={banner}
    >
      <TextInput
        label={t('workspaces.name')}
        withAsterisk
        data-autofocus
        value={name}
        error={errors.inventory ?? errors.name}
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Select
        label={t('workspaces.key')}
        withAsterisk
        placeholder={t('templates.choose')}
        description={keys.length === 0 ? t('workspaces.noKey') : undefined}
        searchable={keys.length > 8}
        data={keys.map(({ id, name: keyName }) => ({ value: String(id), label: keyName }))}
        value={keyId}
        error={errors.ssh_key_id}
        onChange={setKeyId}
      />
    </FormDialog>
  );
}

export function findWorkspaceProblems(name: string, keyId: string | null): Record<string, string> {
  const problems: Record<string, string> = {};
  const trimmed = name.trim();
  if (trimmed === '') problems.inventory = t('field.required', { field: t('workspaces.name') });
  else if (!isWorkspaceName(trimmed)) problems.inventory = t('workspaces.badName');
  if (keyId === null) problems.ssh_key_id = t('field.required', { field: t('workspaces.key') });
  return problems;
}

type AttachWorkspaceDialogProps = { template: Template; free: readonly Inventory[]; onClose: () => void };

/** Gives the template a workspace that belongs to none. */
export function AttachWorkspaceDialog({ template, free, onClose }: AttachWorkspaceDialogProps) {
  const attach = useWorkspaceStep(template);
  const [chosen, setChosen] = useState<string | null>(null);
  const [error, setError] = useState<string>();
  const banner = useRefusal(attach.error, {}, () => undefined);
  const handleSubmit = (): void => {
    if (chosen === null) {
      setError(t('field.required', { field: t('workspaces.workspace') }));
      return;
    }
    const name = free.find(({ id }) => String(id) === chosen)?.inventory ?? '';
    attach.mutate(
      { step: 'attach', workspaceId: Number(chosen) },
      {
        onSuccess: () => {
          showSuccess(t('workspaces.attached', { name }));
          onClose();
        },
      },
    );
  };
  return (
    <FormDialog
      isOpen
      title={t('workspaces.attach')}
      subtitle={template.name}
      submitLabel={t('workspaces.attachButton')}
      onSubmit={handleSubmit}
      onClose={onClose}
      isBusy={attach.isPending}
      isDirty={chosen !== null}
      error={banner}
    >
      <Select
        label={t('workspaces.workspace')}
        withAsterisk
        data-autofocus
        placeholder={t('templates.choose')}
        description={free.length === 0 ? t('workspaces.noFree') : undefined}
        searchable={free.length > 8}
        data={free.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen}
        error={error}
        onChange={(id) => {
          setChosen(id);
          setError(undefined);
        }}
      />
    </FormDialog>
  );
}
