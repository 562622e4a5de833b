import { readCron } from '@signalbox/contract/cron';
import type { Schedule, ScheduleProblem } from '@signalbox/contract/schedules';
import { IconCalendarTime, IconGitCommit } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { ActiveSwitch } from '../../ui/active-switch.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { Tag } from '../../ui/tag.tsx';
import { NextTime } from './next-time.tsx';
import css from './schedules.module.css';

const problemWords: Record<ScheduleProblem['code'], MessageKey> = {
  refused: 'schedules.problem.refused',
  queued: 'schedules.problem.queued',
  unreachable: 'schedules.problem.unreachable',
  failed: 'schedules.problem.failed',
};

type ScheduleColumns = {
  /** Undefined for those who may only read. */
  onOpen: ((id: number) => void) | undefined;
  onActive: ((schedule: Schedule, active: boolean) => void) | undefined;
};

export function listScheduleColumns({ onOpen, onActive }: ScheduleColumns): Column<Schedule>[] {
  return [
    {
      id: 'active',
      title: t('schedules.active'),
      width: 76,
      inList: 'side',
      sortBy: ({ active }) => (active ? 0 : 1),
      render: (schedule) => (
        <ActiveSwitch
          name={schedule.name}
          isActive={schedule.active}
          reason={onActive === undefined ? t('ui.readOnly') : undefined}
          onChange={(active) => onActive?.(schedule, active)}
        />
      ),
    },
    {
      id: 'name',
      title: t('schedules.name'),
      inList: 'title',
      sortBy: ({ name }) => name,
      render: ({ id, name, problem, repository_id: repositoryId }) => (
        <NamedCell
          icon={
            repositoryId === null ? (
              <IconCalendarTime size={14} stroke={1.7} />
            ) : (
              <IconGitCommit size={14} stroke={1.7} />
            )
          }
          beside={
            <>
              {repositoryId === null ? null : <Tag>{t('schedules.onCommit')}</Tag>}
              {problem === null ? null : (
                <span title={problem.text}>
                  <Tag tone="warning">{t(problemWords[problem.code])}</Tag>
                </span>
              )}
            </>
          }
        >
          {onOpen === undefined ? name : <RowButton onClick={() => onOpen(id)}>{name}</RowButton>}
        </NamedCell>
      ),
    },
    {
      id: 'cron',
      title: t('schedules.cron'),
      sortBy: ({ next_run: next }) => next,
      render: ({ cron_format: cron, timezone, active, next_run: next }) => (
        <span className={css.cron}>
          <code>{cron}</code>
          {namesZone(cron) ? null : <span className={css.zone}>{timezone}</span>}
          {active && next !== null ? <NextTime time={next} /> : null}
        </span>
      ),
    },
    {
      id: 'template',
      title: t('schedules.template'),
      sortBy: ({ tpl_name: name }) => name,
      render: ({ project_id: projectId, template_id: templateId, tpl_name: name }) => (
        <Link
          className={css.template}
          to="/project/$projectId/templates/$templateId"
          params={{ projectId: String(projectId), templateId: String(templateId) }}
          search={{}}
        >
          {name}
        </Link>
      ),
    },
  ];
}

/** A zone in the text wins over that of the schedule. */
function namesZone(cron: string): boolean {
  const reading = readCron(cron);
  return 'cron' in reading && reading.cron.zone !== undefined;
}
