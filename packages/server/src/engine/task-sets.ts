import { busyStatuses, slotStatuses, type TaskStatus } from '@signalbox/contract/task-state';
import { type RawBuilder, sql } from 'kysely';

/*
 * Statuses as literals: a partial index serves a query only if its condition stands in the text of the statement.
 */
const quote = (statuses: readonly TaskStatus[]): string => statuses.map((status) => `'${status}'`).join(', ');

/** Tasks that a runner has in hand, or that wait for a confirmation. */
export const isBusy: RawBuilder<boolean> = sql<boolean>`status in (${sql.raw(quote(busyStatuses))})`;
export const isWaiting: RawBuilder<boolean> = sql<boolean>`status = 'waiting'`;

const withSlot: ReadonlySet<TaskStatus> = new Set(slotStatuses);
export const holdsSlot = (status: TaskStatus): boolean => withSlot.has(status);
