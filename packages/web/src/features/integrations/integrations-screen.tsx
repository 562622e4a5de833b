import type { Integration } from '@signalbox/contract/integrations';
import type { Template } from '@signalbox/contract/templates';
import { IconWebhook } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { templatesQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { NewButton } from '../../ui/new-button.tsx';
import { ResourceScreen } from '../../ui/resource-screen.tsx';
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
  const [editing, setEditing] = useEditing();
  const removal = useIntegrationRemoval(projectId, ({ name }) => showSuccess(t('integrations.deleted', { name })));
  const edited = integrations.data?.find(({ id }) => id === editing);
  return (
    <ResourceScreen
      title={t('nav.integrations')}
      above={
        <div className={css.above}>
          <AliasList
            projectId={projectId}
            integrationId={undefined}
            title={t('integrations.aliases')}
            hint={t('integrations.aliasesHint')}
            canEdit={canEdit}
          />
        </div>
      }
      list={integrations}
      listColumns={() => listColumns(templates)}
      canEdit={canEdit}
      newButton={<NewButton>{t('integrations.new')}</NewButton>}
      empty={{
        icon: <IconWebhook size={19} stroke={1.6} />,
        title: t('integrations.emptyTitle'),
        text: t('integrations.emptyText'),
      }}
      removal={removal}
      object={t('integrations.object')}
    >
      {canEdit && (editing === 'new' || edited !== undefined) ? (
        <IntegrationForm key={editing} projectId={projectId} value={edited} onClose={() => setEditing(undefined)} />
      ) : null}
    </ResourceScreen>
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
