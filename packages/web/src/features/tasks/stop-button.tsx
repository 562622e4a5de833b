import { stoppableStatuses, type TaskStatus } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import { IconPlayerStop, IconSkull } from '@tabler/icons-react';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { showFailure } from '../../ui/snackbar.ts';
import { useStopTask } from './data.ts';

/** Tools that keep a state which an interrupted run may leave behind. */
const statefulApps = new Set(['terraform', 'tofu', 'pulumi']);

function canStop(status: TaskStatus): boolean {
  return stoppableStatuses.some((stoppable) => stoppable === status);
}

/** Stop; once that was asked for, Force stop, which says what it may cost before it does it. */
export function StopButton({ task }: { task: TaskItem }) {
  const { can } = useProjectAccess(task.project_id);
  const stop = useStopTask(task.project_id, task.id);
  const [isAsking, setAsking] = useState(false);
  const isForce = task.status === 'stopping' || task.stop_requested !== 'none';
  const handleForce = (): void => stop.mutate(true, { onSuccess: () => setAsking(false) });
  if (!canStop(task.status)) return null;
  return (
    <>
      <GuardedButton
        reason={can('run') ? undefined : t('tasks.needsRun')}
        variant="danger"
        loading={stop.isPending && !isAsking}
        leftSection={isForce ? <IconSkull size={17} stroke={1.7} /> : <IconPlayerStop size={17} stroke={1.7} />}
        onClick={() => {
          if (isForce) setAsking(true);
          else stop.mutate(false, { onError: showFailure });
        }}
      >
        {t(isForce ? 'tasks.forceStop' : 'tasks.stop')}
      </GuardedButton>
      <ConfirmDialog
        isOpen={isAsking}
        title={t('tasks.forceTitle', { id: task.id })}
        confirmLabel={t('tasks.forceStop')}
        onConfirm={handleForce}
        onClose={() => setAsking(false)}
        isBusy={stop.isPending}
        error={stop.isError ? describeError(stop.error) : undefined}
      >
        {t('tasks.forceText')} {t(statefulApps.has(task.tpl_app) ? 'tasks.forceCostState' : 'tasks.forceCost')}
      </ConfirmDialog>
    </>
  );
}
