import type { Environment } from '@signalbox/contract/environments';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Repository } from '@signalbox/contract/repositories';
import type { Template } from '@signalbox/contract/templates';
import { t } from '../../lib/i18n.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { RowLink } from '../../ui/row-target.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { LastTask, readVersion } from './last-task.tsx';
import css from './templates.module.css';
import { linkToTemplate } from './use-view.ts';

export type TemplateNames = {
  inventories: readonly Inventory[] | undefined;
  environments: readonly Environment[] | undefined;
  repositories: readonly Repository[] | undefined;
};

/** The columns of the template list. */
export function listTemplateColumns(
  projectId: number,
  viewId: number | undefined,
  names: TemplateNames,
): Column<Template>[] {
  return [
    {
      id: 'name',
      width: '15.4fr',
      title: t('templates.name'),
      isFixed: true,
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, app, name }) => (
        <NamedCell icon={<AppIcon app={app} />}>
          <RowLink {...linkToTemplate(projectId, viewId, id)} title={name}>
            {name}
          </RowLink>
        </NamedCell>
      ),
    },
    {
      id: 'version',
      width: 66,
      title: t('templates.version'),
      mono: true,
      inList: 'note',
      sortBy: ({ last_task: task }) => readVersion(task),
      render: ({ last_task: task }) => readVersion(task) ?? <Dash />,
    },
    {
      id: 'status',
      width: 188,
      title: t('templates.status'),
      inList: 'side',
      sortBy: ({ last_task: task }) => task?.status,
      render: ({ last_task: task }) =>
        task === null ? (
          <span className={css.notLaunched}>{t('templates.notLaunched')}</span>
        ) : (
          <StatusBadge status={task.status} title={task.waiting_reason?.text} />
        ),
    },
    {
      id: 'last_task',
      width: '19.8fr',
      title: t('templates.lastTask'),
      inList: 'note',
      sortBy: ({ last_task_id: id }) => id,
      render: (template) => <LastTask template={template} />,
    },
    {
      id: 'playbook',
      width: '12.2fr',
      title: t('templates.path'),
      mono: true,
      inList: 'note',
      isSecondary: true,
      sortBy: ({ playbook }) => playbook || undefined,
      render: ({ playbook }) => (playbook === '' ? <Dash /> : <span title={playbook}>{playbook}</span>),
    },
    nameColumn('inventory', t('templates.inventory'), names.inventories, ({ inventory_id: id }) => id),
    nameColumn('environment', t('templates.environmentColumn'), names.environments, ({ environment_id: id }) => id),
    nameColumn('repository', t('templates.repository'), names.repositories, ({ repository_id: id }) => id),
  ];
}

const nameWidths = { inventory: 86, environment: '8.3fr', repository: '7.4fr' } as const;

function nameColumn(
  id: keyof typeof nameWidths,
  title: string,
  list: readonly { id: number; name: string }[] | undefined,
  read: (template: Template) => number | null,
): Column<Template> {
  const find = (template: Template): string | undefined => list?.find((each) => each.id === read(template))?.name;
  return {
    id,
    title,
    width: nameWidths[id],
    inList: 'hidden',
    isSecondary: true,
    sortBy: find,
    render: (template) => {
      const name = find(template);
      return name === undefined ? <Dash /> : <span title={name}>{name}</span>;
    },
  };
}
