import { IconDoorExit } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { projectsQuery } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useLeaveProject } from './data.ts';

type LeaveButtonProps = { projectId: number; isOwner: boolean };

/** The way out of a team, which an owner does not have. */
export function LeaveButton({ projectId, isOwner }: LeaveButtonProps) {
  const [isAsked, setAsked] = useState(false);
  const { data: projects } = useQuery(projectsQuery);
  const leave = useLeaveProject(projectId);
  const name = projects?.find(({ id }) => id === projectId)?.name ?? '';
  const handleClose = (): void => {
    setAsked(false);
    leave.reset();
  };
  return (
    <>
      <GuardedButton
        reason={isOwner ? t('team.ownerStays') : undefined}
        leftSection={<IconDoorExit size={17} stroke={1.7} />}
        onClick={() => setAsked(true)}
      >
        {t('team.leave')}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isAsked}
        title={t('team.leave')}
        confirmLabel={t('team.leave')}
        isBusy={leave.isPending}
        error={leave.error === null ? undefined : describeError(leave.error)}
        onConfirm={() => leave.mutate(() => showSuccess(t('team.left', { name })))}
        onClose={handleClose}
      >
        {t('team.leaveText', { name })}
      </ConfirmDialog>
    </>
  );
}
