import type { Schedule } from '@signalbox/contract/schedules';
import { IconCalendarTime } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { inventoriesQuery, repositoriesQuery, templatesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useOpenForm } from '../../lib/use-open-form.ts';
import { NewButton } from '../../ui/new-button.tsx';
import { ResourceScreen } from '../../ui/resource-screen.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { schedulesQuery, useSaveSchedule, useScheduleRemoval, useScheduleSwitch } from './data.ts';
import { LatestTasks } from './latest-tasks.tsx';
import { listScheduleColumns } from './schedule-columns.tsx';
import { ScheduleFormDialog } from './schedule-form-dialog.tsx';

export function SchedulesScreen() {
  const projectId = useProjectId();
  const schedules = useQuery(schedulesQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const setActive = useScheduleSwitch(projectId);
  const removal = useScheduleRemoval(projectId, ({ name }) => showSuccess(t('schedules.deleted', { name })));
  return (
    <ResourceScreen
      title={t('nav.schedule')}
      list={schedules}
      listColumns={(onOpen) => listScheduleColumns({ onOpen, onActive: canEdit ? setActive : undefined })}
      canEdit={canEdit}
      newButton={<NewButton>{t('schedules.new')}</NewButton>}
      renderExpanded={(schedule, shown) => <LatestTasks schedule={schedule} columns={shown} />}
      empty={{
        icon: <IconCalendarTime size={19} stroke={1.6} />,
        title: t('schedules.emptyTitle'),
        text: t('schedules.emptyText'),
      }}
      removal={removal}
      object={t('schedules.object')}
    >
      {canEdit ? <OpenScheduleForm projectId={projectId} schedules={schedules.data} /> : null}
    </ResourceScreen>
  );
}

type OpenScheduleFormProps = { projectId: number; schedules: readonly Schedule[] | undefined };

/** The form that the address asks for, once all is there to choose from. */
function OpenScheduleForm({ projectId, schedules }: OpenScheduleFormProps) {
  const { data: templates } = useQuery(templatesQuery(projectId));
  const { data: inventories } = useQuery(inventoriesQuery(projectId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const form = useOpenForm(useEditing(), schedules, useSaveSchedule(projectId));
  if (!form.isOpen || templates === undefined || inventories === undefined || repositories === undefined) return null;
  return (
    <ScheduleFormDialog
      key={form.key}
      {...form.props}
      projectId={projectId}
      templates={templates}
      inventories={inventories}
      repositories={repositories}
    />
  );
}
