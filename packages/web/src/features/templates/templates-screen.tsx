import { TextInput } from '@mantine/core';
import type { Template } from '@signalbox/contract/templates';
import { IconSearch, IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
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
import { RunIcon } from './run-button.tsx';
import { listTemplateColumns } from './template-columns.tsx';
import css from './templates.module.css';
import { matchesFilter, useFilter } from './use-filter.ts';

export function TemplatesScreen() {
  const projectId = useProjectId();
  const refetchInterval = useLiveFallback();
  const templates = useQuery({ ...templatesQuery(projectId), refetchInterval });
  const { data: inventories } = useQuery(inventoriesQuery(projectId));
  const { data: environments } = useQuery(environmentsQuery(projectId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('resources');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [filter, setFilter] = useFilter();
  const columns = listTemplateColumns(projectId, { inventories, environments, repositories });
  const { shown, chooser } = useColumns('templates', columns);
  usePage(t('nav.templates'));

  const all = templates.data;
  const rows = all?.filter((template) => matchesFilter(template, filter));
  const newButton = canEdit ? <NewTemplateMenu projectId={projectId} /> : undefined;
  return (
    <>
      <PageHeader
        title={t('nav.templates')}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        actions={
          <>
            {(all?.length ?? 0) > 0 ? <FilterField value={filter} onChange={setFilter} /> : null}
            {chooser}
            {newButton}
          </>
        }
      />
      {templates.error === null || all !== undefined ? (
        <DataTable<Template>
          label={t('nav.templates')}
          hasFixedWidths
          columns={shown}
          rows={rows}
          rowKey={({ id }) => id}
          rowName={({ name }) => name}
          sort={sort}
          onSort={setSort}
          renderActions={(template) => <RunIcon template={template} />}
          renderExpanded={(template, visible) => <LatestTasks template={template} columns={visible} />}
          empty={
            filter === '' ? (
              <EmptyState
                icon={<IconTemplate size={19} stroke={1.6} />}
                title={t('templates.emptyTitle')}
                action={newButton}
              >
                {t('templates.emptyText')}
              </EmptyState>
            ) : (
              <EmptyState
                icon={<IconSearch size={19} stroke={1.6} />}
                title={t('templates.nothingMatches', { filter })}
              />
            )
          }
        />
      ) : (
        <ErrorState error={templates.error} onRetry={() => void templates.refetch()} />
      )}
    </>
  );
}

function FilterField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  return (
    <TextInput
      className={css.filter}
      type="search"
      aria-label={t('templates.filter')}
      placeholder={t('templates.filter')}
      leftSection={<IconSearch size={16} stroke={1.7} />}
      defaultValue={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      aria-keyshortcuts="/"
    />
  );
}
