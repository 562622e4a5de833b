import { isFinal } from '@signalbox/contract/task-state';
import type { TaskItem, WaitingReason } from '@signalbox/contract/tasks';
import {
  IconAlertTriangle,
  IconClockPause,
  IconHandStop,
  IconInfoCircle,
  IconPlugConnectedX,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { TimeAgo } from '../../ui/time-ago.tsx';
import css from './task.module.css';
import { TaskLink } from './task-facts.tsx';

const icon = { size: 17, stroke: 1.7, 'aria-hidden': true } as const;

/** What the reader must know about the state of a task: why it waits, that its runner is silent, why it ended as it did. */
export function TaskNotices({ task }: { task: TaskItem }) {
  return (
    <>
      {task.status === 'waiting' && task.waiting_reason !== null ? (
        <Notice tone="waiting" icon={<IconClockPause {...icon} />}>
          <Waiting reason={task.waiting_reason} />
        </Notice>
      ) : null}
      {task.status === 'waiting_confirmation' ? (
        <Notice tone="confirm" icon={<IconHandStop {...icon} />}>
          {t('plan.waits')}
        </Notice>
      ) : null}
      {task.unreachable_since !== null && !isFinal(task.status) ? (
        <Notice tone="confirm" icon={<IconPlugConnectedX {...icon} />}>
          {t('tasks.unreachable')} <TimeAgo time={task.unreachable_since} />
        </Notice>
      ) : null}
      {task.reason === '' ? null : (
        <Notice
          tone={task.status === 'error' ? 'failed' : 'stopped'}
          icon={task.status === 'error' ? <IconAlertTriangle {...icon} /> : <IconInfoCircle {...icon} />}
        >
          {task.reason}
        </Notice>
      )}
    </>
  );
}

function Notice({ tone, icon, children }: { tone: string; icon: ReactNode; children: ReactNode }) {
  return (
    <div className={css.notice} data-tone={tone} role="status">
      {icon}
      <div>{children}</div>
    </div>
  );
}

function Waiting({ reason }: { reason: WaitingReason }) {
  return (
    <>
      {reason.text}
      {reason.blockers.map((id) => (
        <span key={id}>
          {' '}
          <TaskLink taskId={id}>{`#${id}`}</TaskLink>
        </span>
      ))}
    </>
  );
}
