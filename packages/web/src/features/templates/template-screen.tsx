import { Button } from '@mantine/core';
import type { Template } from '@signalbox/contract/templates';
import { IconTemplate } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, Outlet, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { hasWorkspaces } from '../../lib/app-inventories.ts';
import { ApiError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { templateQuery } from '../../lib/task-queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import tabs from '../../ui/tab-links.module.css';
import { Tag } from '../../ui/tag.tsx';
import { describeType } from './app-fields.ts';
import { TemplateActions } from './template-actions.tsx';
import { linkToList, linkToTemplate, type TemplateTab, useViewId } from './use-view.ts';
import { viewsQuery } from './view-data.ts';

/** Id of the template of the address. */
export function useTemplateId(): number {
  const { templateId } = useParams({ strict: false }) as { templateId: string };
  return Number(templateId);
}

/** A template: its name, what can be done with it, and one of its tabs. */
export function TemplateScreen() {
  const projectId = useProjectId();
  const templateId = useTemplateId();
  const viewId = useViewId();
  // What was deleted here is not asked for any more, while the list is on its way.
  const [removed, setRemoved] = useState<number>();
  const isRemoved = removed === templateId;
  const {
    data: template,
    error,
    refetch,
  } = useQuery({
    ...templateQuery(projectId, templateId),
    enabled: !isRemoved,
  });
  const { data: views } = useQuery({ ...viewsQuery(projectId), enabled: viewId !== undefined });
  const view = views?.find(({ id }) => id === viewId);
  usePage(template?.name ?? `#${templateId}`, [
    { label: t('nav.templates'), link: linkToList(projectId, undefined) },
    ...(view === undefined ? [] : [{ label: view.title, link: linkToList(projectId, view.id) }]),
  ]);
  if (error instanceof ApiError && error.status === 404) {
    return <TemplateGone link={linkToList(projectId, view?.id)} />;
  }
  if (template === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  return (
    <>
      <PageHeader
        title={template?.name ?? '…'}
        beside={template === undefined || template.type === '' ? undefined : <Tag>{describeType(template.type)}</Tag>}
        actions={
          template === undefined ? undefined : (
            <TemplateActions key={template.id} template={template} onRemoved={() => setRemoved(template.id)} />
          )
        }
      />
      {/* A long name would push down what stands under it. */}
      <div hidden={template === undefined}>
        <TemplateTabs projectId={projectId} templateId={templateId} viewId={viewId} template={template} />
        {isRemoved ? null : <Outlet />}
      </div>
    </>
  );
}

/** It was deleted, here or by somebody else, or never was. */
function TemplateGone({ link }: { link: LinkProps }) {
  const navigate = useNavigate();
  return (
    <EmptyState
      icon={<IconTemplate size={19} stroke={1.6} />}
      title={t('templates.gone')}
      action={<Button onClick={() => void navigate(link)}>{t('templates.toList')}</Button>}
    >
      {t('templates.goneText')}
    </EmptyState>
  );
}

type TemplateTabsProps = {
  projectId: number;
  templateId: number;
  viewId: number | undefined;
  template: Template | undefined;
};

const titles = { tasks: 'templates.tasks', details: 'templates.details', state: 'workspaces.tab' } as const;

function TemplateTabs({ projectId, templateId, viewId, template }: TemplateTabsProps) {
  const hasState = template !== undefined && hasWorkspaces(template.app);
  const shown: TemplateTab[] = hasState ? ['tasks', 'details', 'state'] : ['tasks', 'details'];
  return (
    <nav className={tabs.tabs} aria-label={t('templates.tabs')}>
      {shown.map((tab) => (
        <Link
          key={tab}
          {...linkToTemplate(projectId, viewId, templateId, tab)}
          className={tabs.tab}
          activeProps={{ 'data-active': true }}
        >
          {t(titles[tab])}
        </Link>
      ))}
    </nav>
  );
}
