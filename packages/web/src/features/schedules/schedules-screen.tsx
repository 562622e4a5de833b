import { Button } from '@mantine/core';
import type { Schedule } from '@signalbox/contract/schedules';
import { IconCalendarTime, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing, useFreshSave } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { inventoriesQuery, repositoriesQuery, templatesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useTableSort } from '../../lib/table-search.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { schedulesQuery, useSaveSchedule, useScheduleRemoval, useScheduleSwitch } from './data.ts';
import { LatestTasks } from './latest-tasks.tsx';
import { listScheduleColumns } from './schedule-columns.tsx';
import { ScheduleFormDialog } from './schedule-form-dialog.tsx';

export function SchedulesScreen() {
  const projectId = useProjectId();
  const schedules = useQuery(schedulesQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [, setEditing] = useEditing();
  const setActive = useScheduleSwitch(projectId);
  const removal = useScheduleRemoval(projectId, ({ name }) => showSuccess(t('schedules.deleted', { name })));
  usePage(t('nav.schedule'));

  const newButton = canEdit ? (
    <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
      {t('schedules.new')}
    </Button>
  ) : undefined;
  const columns = listScheduleColumns({
    onOpen: canEdit ? setEditing : undefined,
    onActive: canEdit ? setActive : undefined,
  });
  const renderActions = (schedule: Schedule) => (
    <RowActions
      name={schedule.name}
      onEdit={() => setEditing(schedule.id)}
      onDelete={() => removal.start(schedule)}
      isBusy={removal.isBusy}
    />
  );

  return (
    <>
      <PageHeader
        title={t('nav.schedule')}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        // Where nothing is yet, the button stands in the middle.
        actions={schedules.data?.length === 0 ? undefined : newButton}
      />
      {schedules.error === null || schedules.data !== undefined ? (
        <DataTable<Schedule>
          label={t('nav.schedule')}
          columns={columns}
          rows={schedules.data}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          sort={sort}
          onSort={setSort}
          {...(canEdit ? { renderActions } : {})}
          renderExpanded={(schedule, shown) => <LatestTasks schedule={schedule} columns={shown} />}
          empty={
            <EmptyState
              icon={<IconCalendarTime size={19} stroke={1.6} />}
              title={t('schedules.emptyTitle')}
              action={newButton}
            >
              {t('schedules.emptyText')}
            </EmptyState>
          }
        />
      ) : (
        <ErrorState error={schedules.error} onRetry={() => void schedules.refetch()} />
      )}
      {canEdit ? <OpenForm projectId={projectId} schedules={schedules.data} /> : null}
      <RemovalDialogs removal={removal} object={t('schedules.object')} />
    </>
  );
}

/** The form that the address asks for, once all is there to choose from. */
function OpenForm({ projectId, schedules }: { projectId: number; schedules: readonly Schedule[] | undefined }) {
  const [editing, setEditing] = useEditing();
  const { data: templates } = useQuery(templatesQuery(projectId));
  const { data: inventories } = useQuery(inventoriesQuery(projectId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const save = useSaveSchedule(projectId);
  useFreshSave(editing, save.reset);
  const edited = schedules?.find(({ id }) => id === editing);
  const isOpen = editing === 'new' || edited !== undefined;
  if (!isOpen || templates === undefined || inventories === undefined || repositories === undefined) return null;
  const handleClose = (): void => setEditing(undefined);
  return (
    <ScheduleFormDialog
      key={editing}
      projectId={projectId}
      value={edited}
      templates={templates}
      inventories={inventories}
      repositories={repositories}
      isBusy={save.isPending}
      error={save.error}
      onSubmit={(change) => save.mutate(change, { onSuccess: handleClose })}
      onClose={handleClose}
    />
  );
}
