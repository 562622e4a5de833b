import { isFinal } from '@signalbox/contract/task-state';
import type { TaskItem } from '@signalbox/contract/tasks';
import { IconArrowsMaximize, IconArrowsMinimize, IconRefresh } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { Duration } from '../../ui/duration.tsx';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { PlanDecision } from './plan-decision.tsx';
import { StopButton } from './stop-button.tsx';
import css from './task.module.css';
import { TaskFacts } from './task-facts.tsx';
import { TaskNotices } from './task-notices.tsx';

type TaskViewProps = {
  task: TaskItem;
  /** The log itself, which another feature draws. */
  log: ReactNode;
  /** Right end of the header, such as a button that closes the dialog. */
  end?: ReactNode;
  headingId?: string;
};

/** A task: what it is and how it goes, its log, and the facts about it. */
export function TaskView({ task, log, end, headingId }: TaskViewProps) {
  return (
    <article className={css.task}>
      <header className={css.header}>
        <div className={css.heading}>
          <h1 id={headingId} className={css.title}>
            {task.tpl_alias} <TaskNumber task={task} />
          </h1>
          <StatusBadge status={task.status} />
          {task.start === null ? null : <Duration start={task.start} end={task.end} />}
        </div>
        <div className={css.actions}>
          <FullScreenButton />
          <RunAgainButton task={task} />
          <PlanDecision task={task} />
          <StopButton task={task} />
        </div>
        {end === undefined ? null : <div className={css.end}>{end}</div>}
      </header>
      <TaskNotices task={task} />
      <div className={css.columns} data-decides={task.status === 'waiting_confirmation' || undefined}>
        <div className={css.log}>{log}</div>
        <TaskFacts task={task} />
      </div>
    </article>
  );
}

function TaskNumber({ task }: { task: TaskItem }) {
  return (
    <Link
      className={css.number}
      to="/project/$projectId/tasks/$taskId"
      params={{ projectId: String(task.project_id), taskId: String(task.id) }}
      search={{}}
      title={t('tasks.openPage')}
    >
      #{task.id}
    </Link>
  );
}

function FullScreenButton() {
  const [isFull, setFull] = usePreference('fullScreenLog');
  const label = t(isFull ? 'tasks.leaveFullScreen' : 'tasks.fullScreen');
  return (
    <IconButton label={label} variant="default" size={34} aria-pressed={isFull} onClick={() => setFull(!isFull)}>
      {isFull ? <IconArrowsMinimize size={17} stroke={1.7} /> : <IconArrowsMaximize size={17} stroke={1.7} />}
    </IconButton>
  );
}

/** Opens the launch dialog with the values of this task. */
function RunAgainButton({ task }: { task: TaskItem }) {
  const { can } = useProjectAccess(task.project_id);
  const navigate = useNavigate();
  const handleClick = (): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, run: task.template_id, from: task.id }),
    });
  return (
    <GuardedButton
      reason={can('run') ? undefined : t('tasks.needsRun')}
      onClick={handleClick}
      leftSection={<IconRefresh size={17} stroke={1.7} />}
      variant={isFinal(task.status) ? 'primary' : 'default'}
    >
      {t('tasks.runAgain')}
    </GuardedButton>
  );
}
