import { Button, Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Template } from '@signalbox/contract/templates';
import { Link } from '@tanstack/react-router';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import css from './inventories.module.css';

type AttachDialogProps = {
  workspace: Inventory;
  templates: readonly Template[];
  onSubmit: (templateId: number) => void;
  onClose: () => void;
  isBusy: boolean;
  /** Null while nothing is refused. */
  error: unknown;
};

/** Gives a free workspace to a template, or says to which one it belongs. */
export function AttachDialog(props: AttachDialogProps) {
  const { workspace, templates } = props;
  const owner = templates.find(({ id }) => id === workspace.template_id);
  return owner === undefined ? <AttachForm {...props} /> : <OwnerDialog {...props} owner={owner} />;
}

function AttachForm({ workspace, templates, onSubmit, onClose, isBusy, error }: AttachDialogProps) {
  const form = useForm<{ template: string | null }>({
    initialValues: { template: null },
    validate: {
      template: (id) => (id === null ? t('field.required', { field: t('inventories.template') }) : null),
    },
  });
  const app = workspace.type === 'tofu-workspace' ? 'tofu' : 'terraform';
  const fitting = templates.filter((template) => template.app === app);
  return (
    <FormDialog
      isOpen
      title={t('inventories.attachTitle')}
      subtitle={workspace.name}
      submitLabel={t('inventories.attach')}
      onSubmit={() => form.onSubmit(({ template }) => onSubmit(Number(template)))()}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={form.isDirty()}
      error={error === null ? undefined : describeError(error)}
    >
      <Select
        label={t('inventories.template')}
        withAsterisk
        data-autofocus
        searchable={fitting.length > 8}
        placeholder={t('inventories.chooseTemplate')}
        description={fitting.length === 0 ? t('inventories.templatesMissing') : undefined}
        data={fitting.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('template')}
      />
    </FormDialog>
  );
}

function OwnerDialog({ workspace, owner, onClose }: AttachDialogProps & { owner: Template }) {
  return (
    <DialogFrame isOpen onClose={onClose}>
      <DialogHeader title={workspace.name} subtitle={t('inventories.attachedText')} />
      <DialogContent>
        <Link
          className={css.owner}
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: String(owner.project_id), templateId: String(owner.id) }}
          search={{}}
        >
          {owner.name}
        </Link>
      </DialogContent>
      <DialogFooter>
        <Button variant="primary" data-autofocus onClick={onClose}>
          {t('ui.ok')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
