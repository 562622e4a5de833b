import type { TaskItem } from '@signalbox/contract/tasks';
import { IconBan, IconCheck } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { showFailure } from '../../ui/snackbar.ts';
import { useDecide } from './data.ts';

/** Confirm and Reject, while a plan waits for one of them. */
export function PlanDecision({ task }: { task: TaskItem }) {
  const { can } = useProjectAccess(task.project_id);
  const decide = useDecide(task.project_id, task.id);
  if (task.status !== 'waiting_confirmation') return null;
  const reason = can('run') ? undefined : t('tasks.needsRun');
  const send = (decision: 'confirm' | 'reject'): void => decide.mutate(decision, { onError: showFailure });
  return (
    <>
      <GuardedButton
        reason={reason}
        variant="primary"
        loading={decide.isPending && decide.variables === 'confirm'}
        leftSection={<IconCheck size={17} stroke={1.7} />}
        onClick={() => send('confirm')}
      >
        {t('plan.confirm')}
      </GuardedButton>
      <GuardedButton
        reason={reason}
        variant="default"
        loading={decide.isPending && decide.variables === 'reject'}
        leftSection={<IconBan size={17} stroke={1.7} />}
        onClick={() => send('reject')}
      >
        {t('plan.reject')}
      </GuardedButton>
    </>
  );
}
