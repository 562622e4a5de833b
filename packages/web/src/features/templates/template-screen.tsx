import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { Template } from '@signalbox/contract/templates';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { templateQuery } from '../../lib/task-queries.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import tabs from '../../ui/tab-links.module.css';
import { Tag } from '../../ui/tag.tsx';
import { describeType } from './app-fields.ts';
import { useTemplateRemoval } from './data.ts';
import { RunButton } from './run-button.tsx';

/** Id of the template of the address. */
export function useTemplateId(): number {
  const { templateId } = useParams({ strict: false }) as { templateId: string };
  return Number(templateId);
}

/** A template: its name, what can be done with it, and one of its tabs. */
export function TemplateScreen() {
  const projectId = useProjectId();
  const templateId = useTemplateId();
  const { data: template, error, refetch } = useQuery(templateQuery(projectId, templateId));
  const params = { projectId: String(projectId) };
  usePage(template?.name ?? `#${templateId}`, [
    { label: t('nav.templates'), link: { to: '/project/$projectId/templates', params, search: {} } },
  ]);
  if (template === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={template?.name ?? '…'}
        beside={template === undefined || template.type === '' ? undefined : <Tag>{describeType(template.type)}</Tag>}
        actions={template === undefined ? undefined : <TemplateActions template={template} />}
      />
      <TemplateTabs projectId={projectId} templateId={templateId} />
      <Outlet />
    </>
  );
}

function TemplateTabs({ projectId, templateId }: { projectId: number; templateId: number }) {
  const params = { projectId: String(projectId), templateId: String(templateId) };
  const active = { 'data-active': true };
  return (
    <nav className={tabs.tabs} aria-label={t('templates.tabs')}>
      <Link
        to="/project/$projectId/templates/$templateId/tasks"
        params={params}
        search={{}}
        className={tabs.tab}
        activeProps={active}
      >
        {t('templates.tasks')}
      </Link>
      <Link
        to="/project/$projectId/templates/$templateId/details"
        params={params}
        search={{}}
        className={tabs.tab}
        activeProps={active}
      >
        {t('templates.details')}
      </Link>
    </nav>
  );
}

function TemplateActions({ template }: { template: Template }) {
  const canEdit = useProjectAccess(template.project_id).can('resources');
  const navigate = useNavigate();
  const params = { projectId: String(template.project_id) };
  const removal = useTemplateRemoval(template.project_id, ({ name }) => {
    showSuccess(t('templates.deleted', { name }));
    void navigate({ to: '/project/$projectId/templates', params, search: {} });
  });
  const handleCopy = (): void =>
    void navigate({ to: '/project/$projectId/templates/new/edit', params, search: { copy: template.id } });
  const handleEdit = (): void =>
    void navigate({
      to: '/project/$projectId/templates/$templateId/edit',
      params: { ...params, templateId: String(template.id) },
      search: {},
    });
  return (
    <>
      {canEdit ? (
        <>
          <Tooltip label={t('ui.delete')}>
            <ActionIcon
              variant="default"
              size={34}
              aria-label={t('ui.delete')}
              disabled={removal.isBusy}
              onClick={() => removal.start(template)}
            >
              <IconTrash size={17} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
          <Tooltip label={t('templates.copy')}>
            <ActionIcon variant="default" size={34} aria-label={t('templates.copy')} onClick={handleCopy}>
              <IconCopy size={17} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
          <Button leftSection={<IconPencil size={17} stroke={1.7} />} onClick={handleEdit}>
            {t('ui.edit')}
          </Button>
        </>
      ) : null}
      <RunButton template={template} />
      <RemovalDialogs removal={removal} object={t('templates.object')} />
    </>
  );
}
