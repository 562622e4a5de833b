import { Button } from '@mantine/core';
import type { Template } from '@signalbox/contract/templates';
import { IconEdit, IconSearch, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Navigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useLiveFallback } from '../../lib/live.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { environmentsQuery, inventoriesQuery, repositoriesQuery, templatesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useTableSort } from '../../lib/table-search.ts';
import { useColumns } from '../../ui/column-chooser.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tag } from '../../ui/tag.tsx';
import { LatestTasks } from './latest-tasks.tsx';
import { NewTemplateMenu } from './new-template-menu.tsx';
import { RunIcon, useRun } from './run-button.tsx';
import { listTemplateColumns } from './template-columns.tsx';
import { isFiltered, matchesFilter, useFilter } from './template-filter.ts';
import { TemplateFilterFields } from './template-filter-fields.tsx';
import { useDialog } from './use-dialog.ts';
import { linkToList, useLastView, useViewId } from './use-view.ts';
import { viewsQuery } from './view-data.ts';
import { ViewTabs } from './view-tabs.tsx';

// Dragging is a library of its own, which only this dialog needs.
const ViewsDialog = lazy(async () => ({ default: (await import('./views-dialog.tsx')).ViewsDialog }));

/** The templates of the project, or of the view that the address names. */
export function TemplatesScreen() {
  const projectId = useProjectId();
  const viewId = useViewId();
  const refetchInterval = useLiveFallback();
  const templates = useQuery({ ...templatesQuery(projectId), refetchInterval });
  const views = useQuery(viewsQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [dialog, setDialog] = useDialog();
  usePage(t('nav.templates'));
  const view = views.data?.find(({ id }) => id === viewId);
  const isUnknown = viewId !== undefined && views.data !== undefined && view === undefined;
  useLastView(projectId, isUnknown ? undefined : viewId);
  // Somebody has deleted the view: the templates are still there.
  if (isUnknown) return <Navigate {...linkToList(projectId, undefined)} replace />;
  const error = templates.data === undefined ? templates.error : null;
  const failure = error ?? (views.data === undefined ? views.error : null);
  return (
    <>
      {failure === null ? (
        <TemplateList
          key={projectId}
          projectId={projectId}
          viewId={viewId}
          // Together with the tabs, whose rows would push the table down.
          templates={views.data === undefined ? undefined : templates.data}
          canEdit={canEdit}
          onEditViews={() => setDialog('views')}
          tabs={<ViewTabs projectId={projectId} viewId={viewId} views={views.data ?? []} templates={templates.data} />}
        />
      ) : (
        <>
          <PageHeader title={t('nav.templates')} />
          <ErrorState error={failure} onRetry={() => void Promise.all([templates.refetch(), views.refetch()])} />
        </>
      )}
      {canEdit && dialog === 'views' && views.data !== undefined ? (
        <Suspense>
          <ViewsDialog projectId={projectId} views={views.data} onClose={() => setDialog(undefined)} />
        </Suspense>
      ) : null}
    </>
  );
}

type TemplateListProps = {
  projectId: number;
  viewId: number | undefined;
  templates: readonly Template[] | undefined;
  canEdit: boolean;
  onEditViews: () => void;
  tabs: React.ReactNode;
};

function TemplateList({ projectId, viewId, templates, canEdit, onEditViews, tabs }: TemplateListProps) {
  const { can } = useProjectAccess(projectId);
  const running = useRun(projectId);
  const { data: inventories } = useQuery(inventoriesQuery(projectId));
  const { data: environments } = useQuery(environmentsQuery(projectId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [filter, setFilter] = useFilter();
  const [cleared, setCleared] = useState(0);
  const columns = listTemplateColumns(projectId, viewId, { inventories, environments, repositories });
  const { shown, chooser } = useColumns('templates', columns);
  const ofView = templates?.filter((template) => viewId === undefined || template.view_id === viewId);
  const rows = ofView?.filter((template) => matchesFilter(template, filter));
  const newButton = canEdit ? <NewTemplateMenu projectId={projectId} viewId={viewId} /> : undefined;
  const handleClear = (): void => {
    setFilter({ q: '', app: '', status: '' });
    setCleared(cleared + 1);
  };
  return (
    <>
      <PageHeader
        title={t('nav.templates')}
        beside={canEdit ? undefined : <Tag>{t(can('run') ? 'shell.canRun' : 'ui.readOnly')}</Tag>}
        actions={
          <>
            {/* There from the start, though there is nothing to find yet: a row of its own on a phone. */}
            {templates?.length === 0 ? null : (
              <TemplateFilterFields key={cleared} value={filter} templates={templates ?? []} onChange={setFilter} />
            )}
            {chooser}
            {canEdit ? (
              <Button leftSection={<IconEdit size={17} stroke={1.7} />} onClick={onEditViews}>
                {t('views.edit')}
              </Button>
            ) : null}
            {newButton}
          </>
        }
      />
      {tabs}
      <DataTable<Template>
        // The rows of tabs are not known before the views are, so that its shape stands higher than the table does.
        key={templates === undefined ? 'shape' : 'table'}
        label={t('nav.templates')}
        hasFixedWidths
        columns={shown}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={({ name }) => name}
        sort={sort}
        onSort={setSort}
        renderActions={(template) => <RunIcon template={template} {...running} />}
        renderExpanded={(template, visible) => <LatestTasks template={template} columns={visible} />}
        empty={
          isFiltered(filter) ? (
            <EmptyState
              icon={<IconSearch size={19} stroke={1.6} />}
              title={t('templates.nothingMatches')}
              action={<Button onClick={handleClear}>{t('templates.clearFilter')}</Button>}
            />
          ) : (
            <NoTemplates isView={(templates?.length ?? 0) > 0} action={newButton} />
          )
        }
      />
    </>
  );
}

function NoTemplates({ isView, action }: { isView: boolean; action: React.ReactNode }) {
  return (
    <EmptyState
      icon={<IconTemplate size={19} stroke={1.6} />}
      title={t(isView ? 'views.emptyTitle' : 'templates.emptyTitle')}
      action={action}
    >
      {t(isView ? 'views.emptyText' : 'templates.emptyText')}
    </EmptyState>
  );
}
