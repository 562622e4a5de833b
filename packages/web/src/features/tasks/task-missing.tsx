import { IconTrash } from '@tabler/icons-react';
import { ApiError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';

/** There is no such task any more: whatever is still known of it is not true any more. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

type TaskMissingProps = { id: number; error: unknown; onRetry: () => void };

/** Instead of a task that was deleted, or that could not be fetched. */
export function TaskMissing({ id, error, onRetry }: TaskMissingProps) {
  if (!isGone(error)) return <ErrorState error={error} title={t('tasks.cannotLoad', { id })} onRetry={onRetry} />;
  return (
    <EmptyState icon={<IconTrash size={19} stroke={1.6} />} title={t('tasks.gone', { id })}>
      {t('tasks.goneText')}
    </EmptyState>
  );
}
