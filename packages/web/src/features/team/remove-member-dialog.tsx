import type { Member } from '@signalbox/contract/team';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useRemoveMember } from './data.ts';

type RemoveMemberDialogProps = { projectId: number; member: Member; onClose: () => void };

export function RemoveMemberDialog({ projectId, member, onClose }: RemoveMemberDialogProps) {
  const remove = useRemoveMember(projectId);
  const { name, username } = member;
  const handleConfirm = (): void =>
    remove.mutate(member, {
      onSuccess: () => {
        onClose();
        showSuccess(t('team.removed', { name }));
      },
    });
  return (
    <ConfirmDialog
      isOpen
      title={t('team.removeTitle')}
      confirmLabel={t('team.remove')}
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : describeError(remove.error)}
      onConfirm={handleConfirm}
      onClose={onClose}
    >
      {t('team.removeText', { name, username })}
    </ConfirmDialog>
  );
}
