import { Select } from '@mantine/core';
import type { TerraformAlias } from '@signalbox/contract/terraform';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useRemoveAlias, useSaveAlias, type WorkspacePlace } from './workspace-data.ts';

type AliasDialogProps = {
  alias: TerraformAlias | undefined;
  /** Keys with a login and a password: nothing else can be asked for by a tool. */
  keys: readonly { id: number; name: string }[];
  place: WorkspacePlace;
  onClose: () => void;
};

/** Makes an alias, or gives one another key. */
export function AliasDialog({ alias, keys, place, onClose }: AliasDialogProps) {
  const save = useSaveAlias(place);
  const [keyId, setKeyId] = useState(alias === undefined ? null : String(alias.auth_key_id));
  const [errors, setErrors] = useState<Record<string, string>>({});
  const banner = useRefusal(save.error, { auth_key_id: t('aliases.key') }, setErrors);
  const handleSubmit = (): void => {
    if (keyId === null) {
      setErrors({ auth_key_id: t('field.required', { field: t('aliases.key') }) });
      return;
    }
    save.mutate({ id: alias?.id, keyId: Number(keyId) }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      isOpen
      title={t(alias === undefined ? 'aliases.add' : 'aliases.edit')}
      submitLabel={t(alias === undefined ? 'ui.create' : 'ui.save')}
      onSubmit={handleSubmit}
      onClose={onClose}
      isBusy={save.isPending}
      error={banner}
    >
      <Select
        label={t('aliases.key')}
        description={t(keys.length === 0 ? 'templates.noPasswordKey' : 'aliases.keyHint')}
        withAsterisk
        data-autofocus
        placeholder={t('templates.choose')}
        searchable={keys.length > 8}
        data={keys.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={keyId}
        error={errors.auth_key_id}
        onChange={(id) => {
          setKeyId(id);
          setErrors({});
        }}
      />
    </FormDialog>
  );
}

type RemoveAliasDialogProps = { alias: TerraformAlias; place: WorkspacePlace; onClose: () => void };

export function RemoveAliasDialog({ alias, place, onClose }: RemoveAliasDialogProps) {
  const remove = useRemoveAlias(place);
  return (
    <ConfirmDialog
      isOpen
      title={t('ui.deleteTitle', { object: t('aliases.object') })}
      confirmLabel={t('ui.delete')}
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : describeError(remove.error)}
      onConfirm={() => remove.mutate(alias, { onSuccess: onClose })}
      onClose={onClose}
    >
      {t('aliases.deleteText')}
    </ConfirmDialog>
  );
}
