import { Modal } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { TaskItem } from '@signalbox/contract/tasks';
import { IconX } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useId } from 'react';
import { t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import css from './task.module.css';
import { isGone, TaskMissing } from './task-missing.tsx';
import { TaskSkeleton } from './task-skeleton.tsx';
import { TaskView } from './task-view.tsx';
import { useTask } from './use-task.ts';

type TaskDialogProps = { projectId: number; taskId: number; renderLog: (task: TaskItem) => ReactNode };

/** The log of a task over whatever screen is open; `t` in the address opens it. */
export function TaskDialog({ projectId, taskId, renderLog }: TaskDialogProps) {
  const [wantsFull] = usePreference('fullScreenLog');
  // A dialog on a small screen would only waste its edges.
  const isNarrow = useMediaQuery('(width < 960px)', false, { getInitialValueInEffect: false });
  const isFull = wantsFull || isNarrow;
  const { data: task, error, refetch } = useTask(projectId, taskId);
  const navigate = useNavigate();
  const headingId = useId();
  const handleClose = (): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, t: undefined }),
      hash: '',
      resetScroll: false,
    });
  const close = (
    <IconButton label={t('tasks.close')} size={34} onClick={handleClose}>
      <IconX size={18} stroke={1.7} />
    </IconButton>
  );
  return (
    <Modal.Root opened onClose={handleClose} fullScreen={isFull} size={1240} yOffset={28}>
      <Modal.Overlay />
      {/* A class of its own would go to the frame around it as well. */}
      <Modal.Content aria-labelledby={headingId} aria-label={t('tasks.dialog', { id: taskId })}>
        <div className={css.dialog} data-full={isFull || undefined}>
          {task === undefined || isGone(error) ? (
            <>
              <div className={css.corner}>{close}</div>
              {error === null ? (
                <TaskSkeleton />
              ) : (
                <TaskMissing id={taskId} error={error} onRetry={() => void refetch()} />
              )}
            </>
          ) : (
            <TaskView task={task} log={renderLog(task)} end={close} headingId={headingId} />
          )}
        </div>
      </Modal.Content>
    </Modal.Root>
  );
}
