import type { Runner } from '@signalbox/contract/runners';
import { t } from '../../lib/i18n.ts';
import { ActiveSwitch } from '../../ui/active-switch.tsx';
import { Dash } from '../../ui/dash.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { Tag } from '../../ui/tag.tsx';
import { RunnerState } from './runner-state.tsx';

type RunnerColumns = {
  /** Why nothing can be changed; undefined where it can. */
  reason: string | undefined;
  /** Names of projects, where runners of all of them are shown. */
  projects: ReadonlyMap<number, string> | undefined;
  onSwitch: (runner: Runner, active: boolean) => void;
  onOpen: (id: number) => void;
};

export function listRunnerColumns({ reason, projects, onSwitch, onOpen }: RunnerColumns): Column<Runner>[] {
  return [
    {
      id: 'active',
      title: t('runners.activeColumn'),
      width: 74,
      inList: 'side',
      render: (runner) => (
        <ActiveSwitch
          name={runner.name}
          isActive={runner.active}
          reason={reason}
          onChange={(active) => onSwitch(runner, active)}
        />
      ),
    },
    {
      id: 'name',
      title: t('runners.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name }) =>
        reason === undefined ? <RowButton onClick={() => onOpen(id)}>{name}</RowButton> : name,
    },
    {
      id: 'state',
      title: t('runners.state'),
      sortBy: ({ online, last_seen }) => (online ? 'a' : last_seen),
      render: (runner) => <RunnerState runner={runner} />,
    },
    ...(projects === undefined ? [] : [projectColumn(projects)]),
    {
      id: 'webhook',
      title: t('runners.webhook'),
      isSecondary: true,
      sortBy: ({ webhook }) => webhook || null,
      render: ({ webhook }) => (webhook === '' ? <Dash /> : <span title={webhook}>{webhook}</span>),
    },
    {
      id: 'tag',
      title: t('runners.tag'),
      sortBy: ({ tag }) => tag || null,
      render: ({ tag }) => (tag === '' ? <Dash /> : <Tag>{tag}</Tag>),
    },
    {
      id: 'limit',
      title: t('runners.limitColumn'),
      align: 'end',
      sortBy: ({ max_parallel_tasks }) => max_parallel_tasks || Number.MAX_SAFE_INTEGER,
      render: ({ max_parallel_tasks }) =>
        max_parallel_tasks === 0 ? <span title={t('runners.unlimited')}>∞</span> : max_parallel_tasks,
    },
  ];
}

function projectColumn(projects: ReadonlyMap<number, string>): Column<Runner> {
  const nameOf = ({ project_id: id }: Runner): string | null => (id === null ? null : (projects.get(id) ?? `#${id}`));
  return { id: 'project', title: t('runners.project'), sortBy: nameOf, render: (runner) => nameOf(runner) ?? <Dash /> };
}
