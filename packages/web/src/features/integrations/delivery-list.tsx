import type { Delivery } from '@signalbox/contract/deliveries';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { useLiveFallback } from '../../lib/live.ts';
import { useListStart } from '../../lib/table-search.ts';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { ListEnds } from '../../ui/list-ends.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import css from './integrations.module.css';
import { OutcomeBadge } from './outcome-badge.tsx';
import { deliveriesAtOnce, deliveriesQuery, type IntegrationPlace } from './parts-data.ts';
import { Section } from './section.tsx';
import { usePartSearch } from './use-part-search.ts';

/** The calls that arrived, newest first, with what became of each. */
export function DeliveryList({ place }: { place: IntegrationPlace }) {
  const refetchInterval = useLiveFallback();
  const before = useListStart();
  const deliveries = useQuery({ ...deliveriesQuery(place, before), refetchInterval });
  const [opened, setOpened] = usePartSearch('delivery');
  return (
    <Section title={t('integrations.deliveries')} hint={t('integrations.deliveriesHint')}>
      {deliveries.error !== null && deliveries.data === undefined ? (
        <ErrorState error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      ) : (
        <DataTable
          label={t('integrations.deliveries')}
          columns={listColumns(setOpened)}
          rows={deliveries.data}
          rowKey={({ id }) => id}
          empty={
            <p className={css.none}>
              {t(before === undefined ? 'integrations.noDeliveries' : 'integrations.noOlderDeliveries')}
            </p>
          }
        />
      )}
      <ListEnds before={before} last={deliveries.data?.[deliveriesAtOnce - 1]?.id} />
      {typeof opened === 'number' ? (
        <DeliveryDialog key={opened} place={place} deliveryId={opened} onOpen={setOpened} />
      ) : null}
    </Section>
  );
}

function listColumns(onOpen: (id: number) => void): Column<Delivery>[] {
  return [
    {
      id: 'outcome',
      title: t('integrations.outcome'),
      width: 150,
      inList: 'side',
      render: ({ verdict }) => <OutcomeBadge outcome={verdict.outcome} />,
    },
    {
      id: 'reason',
      title: t('integrations.reason'),
      inList: 'title',
      render: ({ id, verdict }) => (
        <RowButton title={verdict.text} onClick={() => onOpen(id)}>
          {verdict.text}
        </RowButton>
      ),
    },
    {
      id: 'time',
      title: t('integrations.time'),
      inList: 'note',
      render: ({ created }) => <TimeAgo time={created} short />,
    },
    {
      id: 'task',
      title: t('integrations.task'),
      align: 'end',
      render: ({ task_id: taskId }) => (taskId === null ? <Dash /> : <TaskLink taskId={taskId} />),
    },
  ];
}

function TaskLink({ taskId }: { taskId: number }) {
  return (
    <Link className={css.link} to="." search={(before: Record<string, unknown>) => ({ ...before, t: taskId })}>
      #{taskId}
    </Link>
  );
}
