import { type TaskStatus, taskStatuses } from '@signalbox/contract/task-state';
import { useNavigate, useSearch } from '@tanstack/react-router';

/** The only status that is shown, kept in the address; undefined where all are. */
export function useStatusFilter(): [TaskStatus | undefined, (status: TaskStatus | undefined) => void] {
  const { status }: { status?: unknown } = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = (next: TaskStatus | undefined): void =>
    void navigate({
      to: '.',
      search: (search: Record<string, unknown>) => ({ ...search, status: next, page: undefined, before: undefined }),
    });
  return [taskStatuses.find((known) => known === status), change];
}
