import type { Notification } from '@signalbox/contract/notifications';
import { IconSend } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { formatExact, parseTime } from '../../lib/dates.ts';
import { currentLocale, t } from '../../lib/i18n.ts';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DeliveryState } from './delivery-state.tsx';
import { describeReceiver } from './notification-words.ts';
import css from './notifications.module.css';

/** @param hasProject for a list of all projects */
export function listNotificationColumns(hasProject: boolean): Column<Notification>[] {
  const columns: Column<Notification>[] = [
    {
      id: 'created',
      title: t('notifications.time'),
      width: 92,
      inList: 'note',
      render: ({ created }) => <TimeAgo time={created} short />,
    },
    { id: 'about', title: t('notifications.about'), inList: 'title', render: (message) => <About message={message} /> },
    {
      id: 'receiver',
      title: t('notifications.to'),
      width: 130,
      inList: 'note',
      render: (message) => <span title={describeReceiver(message)}>{describeReceiver(message)}</span>,
    },
    {
      id: 'state',
      title: t('notifications.state'),
      width: 200,
      inList: 'side',
      render: ({ state, next_attempt: next, error }) => (
        <span className={css.delivery} title={error === '' ? undefined : error}>
          <DeliveryState state={state} />
          {next === null ? null : <NextAttempt time={next} />}
        </span>
      ),
    },
    {
      id: 'attempts',
      title: t('notifications.attempts'),
      align: 'end',
      width: 92,
      isSecondary: true,
      render: ({ attempts }) => attempts,
    },
    {
      id: 'outcome',
      title: t('notifications.outcome'),
      isSecondary: true,
      render: (message) => <Outcome message={message} />,
    },
  ];
  if (!hasProject) return columns;
  const project: Column<Notification> = {
    id: 'project',
    title: t('notifications.project'),
    width: 120,
    inList: 'note',
    render: ({ project_id: id, project_name: name }) => (
      <Link className={css.link} to="/project/$projectId/notifications" params={{ projectId: String(id) }} search={{}}>
        {name}
      </Link>
    ),
  };
  return columns.toSpliced(1, 0, project);
}

/** What is told: the end of a task, with the task, or that somebody tried the channel. */
function About({ message }: { message: Notification }) {
  const { kind, task_id: taskId, template_name: name, project_id: projectId } = message;
  if (kind === 'test') {
    return (
      <span className={css.state}>
        <IconSend size={15} stroke={1.7} aria-hidden />
        {t('notifications.test')}
      </span>
    );
  }
  const title = taskId === null ? name : t('notifications.task', { id: taskId, name });
  return (
    <span className={css.about}>
      <StatusBadge status={kind} />
      {taskId === null ? (
        <span title={name}>{name}</span>
      ) : (
        <Link
          className={css.link}
          title={title}
          to="/project/$projectId/tasks/$taskId"
          params={{ projectId: String(projectId), taskId: String(taskId) }}
          search={{}}
        >
          {title}
        </Link>
      )}
    </span>
  );
}

/** When it arrived, or what went wrong the last time. */
function Outcome({ message: { sent, error } }: { message: Notification }) {
  if (sent !== null) return <TimeAgo time={sent} short />;
  return error === '' ? <Dash /> : <span title={error}>{error}</span>;
}

function NextAttempt({ time }: { time: string }) {
  const clock = new Intl.DateTimeFormat(currentLocale(), { timeStyle: 'short', hourCycle: 'h23' }).format(
    parseTime(time),
  );
  return (
    <span className={css.retry}>
      <time dateTime={time} title={formatExact(parseTime(time))}>
        {t('notifications.nextAttempt', { clock })}
      </time>
    </span>
  );
}
