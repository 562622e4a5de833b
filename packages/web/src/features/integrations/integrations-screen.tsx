import { Button } from '@mantine/core';
import type { Integration } from '@signalbox/contract/integrations';
import type { Template } from '@signalbox/contract/templates';
import { IconPlus, IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { templatesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useTableSort } from '../../lib/table-search.ts';
import { Dash } from '../../ui/dash.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { AliasList } from './alias-list.tsx';
import { integrationsQuery, useIntegrationRemoval } from './data.ts';
import { IntegrationForm } from './integration-form-dialog.tsx';
import css from './integrations.module.css';

export function IntegrationsScreen() {
  const projectId = useProjectId();
  const integrations = useQuery(integrationsQuery(projectId));
  const { data: templates } = useQuery(templatesQuery(projectId));
  const canEdit = useProjectAccess(projectId).can('update');
  const [sort, setSort] = useTableSort({ column: 'name', order: 'asc' });
  const [editing, setEditing] = useEditing();
  const removal = useIntegrationRemoval(projectId, ({ name }) => showSuccess(t('integrations.deleted', { name })));
  usePage(t('nav.integrations'));

  const newButton = canEdit ? (
    <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
      {t('integrations.new')}
    </Button>
  ) : undefined;
  const renderActions = (integration: Integration) => (
    <RowActions
      name={integration.name}
      onEdit={() => setEditing(integration.id)}
      onDelete={() => removal.start(integration)}
      isBusy={removal.isBusy}
    />
  );
  const edited = integrations.data?.find(({ id }) => id === editing);

  return (
    <>
      <PageHeader
        title={t('nav.integrations')}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        // Where nothing is yet, the button stands in the middle.
        actions={integrations.data?.length === 0 ? undefined : newButton}
      />
      <AliasList
        projectId={projectId}
        integrationId={undefined}
        title={t('integrations.aliases')}
        hint={t('integrations.aliasesHint')}
        canEdit={canEdit}
      />
      <div className={css.list}>
        {integrations.error === null || integrations.data !== undefined ? (
          <DataTable
            label={t('nav.integrations')}
            columns={listColumns(templates)}
            rows={integrations.data}
            rowKey={({ id }) => id}
            sort={sort}
            onSort={setSort}
            {...(canEdit ? { renderActions } : {})}
            empty={
              <EmptyState
                icon={<IconWebhook size={19} stroke={1.6} />}
                title={t('integrations.emptyTitle')}
                action={newButton}
              >
                {t('integrations.emptyText')}
              </EmptyState>
            }
          />
        ) : (
          <ErrorState error={integrations.error} onRetry={() => void integrations.refetch()} />
        )}
      </div>
      {canEdit && (editing === 'new' || edited !== undefined) ? (
        <IntegrationForm key={editing} projectId={projectId} value={edited} onClose={() => setEditing(undefined)} />
      ) : null}
      <RemovalDialogs removal={removal} object={t('integrations.object')} />
    </>
  );
}

function listColumns(templates: readonly Template[] | undefined): Column<Integration>[] {
  const nameOf = (id: number): string | undefined => templates?.find((template) => template.id === id)?.name;
  return [
    {
      id: 'name',
      title: t('integrations.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, project_id: projectId, name, searchable }) => (
        <NamedCell
          icon={<IconWebhook size={14} stroke={1.7} />}
          beside={searchable ? <Tag>{t('integrations.searchable')}</Tag> : undefined}
        >
          <RowLink
            to="/project/$projectId/integrations/$integrationId"
            params={{ projectId: String(projectId), integrationId: String(id) }}
            search={{}}
          >
            {name}
          </RowLink>
        </NamedCell>
      ),
    },
    {
      id: 'template',
      title: t('integrations.template'),
      sortBy: ({ template_id: id }) => nameOf(id),
      render: ({ project_id: projectId, template_id: id }) =>
        nameOf(id) === undefined ? (
          <Dash />
        ) : (
          <Link
            className={css.link}
            to="/project/$projectId/templates/$templateId"
            params={{ projectId: String(projectId), templateId: String(id) }}
            search={{}}
          >
            {nameOf(id)}
          </Link>
        ),
    },
  ];
}
