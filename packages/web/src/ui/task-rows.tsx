import type { TaskItem } from '@signalbox/contract/tasks';
import type { ReactNode } from 'react';
import { describeError } from '../lib/failure.ts';
import { t } from '../lib/i18n.ts';
import { type Column, SubRow } from './data-table.tsx';
import { Duration } from './duration.tsx';

type TaskRowsProps<Row> = {
  /** Undefined while they are fetched. */
  tasks: readonly TaskItem[] | undefined;
  error: Error | null;
  columns: Column<Row>[];
  /** Said where there is none. */
  none: string;
  /** What stands in which column. */
  listCells: (task: TaskItem) => Record<string, ReactNode>;
};

/** Tasks under an opened row, in the columns of its table. */
export function TaskRows<Row>({ tasks, error, columns, none, listCells }: TaskRowsProps<Row>) {
  if (tasks === undefined || tasks.length === 0) {
    const waiting = tasks === undefined ? t('ui.loading') : none;
    return <SubRow columns={columns} cells={{ name: error === null ? waiting : describeError(error) }} />;
  }
  return tasks.map((task) => (
    <SubRow
      key={task.id}
      columns={columns}
      cells={listCells(task)}
      end={<Duration start={task.start} end={task.end} />}
    />
  ));
}
