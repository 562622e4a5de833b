import type { TaskStatus } from '@signalbox/contract/task-state';
import {
  IconBan,
  IconCheck,
  IconCircleCheck,
  IconCircleX,
  IconClock,
  IconHandStop,
  IconLoader2,
  IconSquare,
} from '@tabler/icons-react';
import { type MessageKey, t } from '../lib/i18n.ts';
import css from './status-badge.module.css';

type Look = { label: MessageKey; colour: string; icon: typeof IconClock; spins?: true };

/** Every status: a word, a colour and an icon, so that no one of them carries the meaning alone. */
const looks: Record<TaskStatus, Look> = {
  waiting: { label: 'status.waiting', colour: 'waiting', icon: IconClock },
  starting: { label: 'status.starting', colour: 'running', icon: IconLoader2, spins: true },
  running: { label: 'status.running', colour: 'running', icon: IconLoader2, spins: true },
  waiting_confirmation: { label: 'status.waitingConfirmation', colour: 'confirm', icon: IconHandStop },
  confirmed: { label: 'status.confirmed', colour: 'running', icon: IconCheck },
  rejected: { label: 'status.rejected', colour: 'stopped', icon: IconBan },
  stopping: { label: 'status.stopping', colour: 'stopped', icon: IconLoader2, spins: true },
  success: { label: 'status.success', colour: 'success', icon: IconCircleCheck },
  error: { label: 'status.error', colour: 'failed', icon: IconCircleX },
  stopped: { label: 'status.stopped', colour: 'stopped', icon: IconSquare },
};

/** The word of a status, for places that have no room for more. */
export function nameStatus(status: TaskStatus): string {
  return t(looks[status].label);
}

export function StatusBadge({ status, title }: { status: TaskStatus; title?: string | undefined }) {
  const { label, colour, icon: Icon, spins } = looks[status];
  return (
    <span className={css.badge} data-colour={colour} data-status={status} title={title}>
      <Icon size={15} stroke={1.8} className={spins ? css.spins : undefined} aria-hidden />
      {t(label)}
    </span>
  );
}
