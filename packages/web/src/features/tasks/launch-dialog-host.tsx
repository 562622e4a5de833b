import type { Inventory } from '@signalbox/contract/inventories';
import type { Launch } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { fitsApp, hasWorkspaces } from '../../lib/app-inventories.ts';
import { t } from '../../lib/i18n.ts';
import { inventoriesQuery, repositoriesQuery } from '../../lib/project-lists.ts';
import { systemQuery, useProjectAccess } from '../../lib/session.ts';
import { taskQuery, templateQuery, templateTasksQuery } from '../../lib/task-queries.ts';
import { showFailure } from '../../ui/snackbar.ts';
import { buildsQuery, useLaunch } from './data.ts';
import { LaunchDialog } from './launch-dialog.tsx';
import { findTool } from './missing-tool.ts';

/** Opens the launch of the template that `run` names, with the values of the task that `from` names. */
export function LaunchDialogHost({ projectId }: { projectId: number }) {
  const { run, from } = useSearch({ strict: false });
  const templateId = readId(run);
  const fromId = readId(from);
  const { data: template, error } = useQuery({
    ...templateQuery(projectId, templateId ?? 0),
    enabled: templateId !== undefined,
  });
  const older = useQuery({ ...taskQuery(projectId, fromId ?? 0), enabled: fromId !== undefined });
  const close = useClose();
  useEffect(() => {
    // What is shown already stays: a second answer that does not come must not take away what was typed.
    if (error === null || template !== undefined) return;
    showFailure(error);
    close();
  }, [error, template, close]);
  const isReady = fromId === undefined || older.data !== undefined || older.error !== null;
  if (templateId === undefined || template === undefined || !isReady) return null;
  return <OpenLaunch key={`${templateId}-${fromId}`} template={template} fromId={fromId} onClose={close} />;
}

type OpenLaunchProps = { template: Template; fromId: number | undefined; onClose: () => void };

function OpenLaunch({ template, fromId, onClose }: OpenLaunchProps) {
  const projectId = template.project_id;
  const { data: from } = useQuery({ ...taskQuery(projectId, fromId ?? 0), enabled: fromId !== undefined });
  const { data: builds } = useQuery({
    ...buildsQuery(projectId, template.build_template_id ?? 0),
    enabled: template.build_template_id !== null,
  });
  const { data: inventories } = useQuery(inventoriesQuery(projectId));
  const { data: repositories } = useQuery(repositoriesQuery(projectId));
  const { data: system } = useQuery(systemQuery);
  const { data: earlier } = useQuery(templateTasksQuery(projectId, template.id, { limit: earlierTasks }));
  const { can } = useProjectAccess(projectId);
  const launch = useLaunch(projectId);
  const navigate = useNavigate();
  const handleSubmit = (order: Launch): void =>
    launch.mutate(order, {
      onSuccess: ({ id }) =>
        void navigate({
          to: '.',
          search: ({ run: _run, from: _from, ...before }: Record<string, unknown>) => ({ ...before, t: id }),
          hash: '',
          replace: true,
        }),
    });
  const repository = repositories?.find(({ id }) => id === template.repository_id);
  const branch = template.git_branch ?? repository?.git_branch ?? '';
  return (
    <LaunchDialog
      template={template}
      from={from}
      earlier={earlier ?? []}
      builds={builds}
      inventories={listInventories(template, inventories ?? [])}
      summary={describePlace({
        playbook: template.playbook,
        inventory: inventories?.find(({ id }) => id === template.inventory_id)?.name,
        source: repository === undefined ? undefined : branch === '' ? repository.name : `${repository.name}@${branch}`,
      })}
      barred={can('run') ? undefined : t('tasks.needsRun')}
      tool={system === undefined ? 'present' : findTool(system, template.app)}
      isBusy={launch.isPending}
      error={launch.error}
      onSubmit={handleSubmit}
      onClose={onClose}
    />
  );
}

/** As many earlier tasks offer their values. */
const earlierTasks = 5;

function useClose(): () => void {
  const navigate = useNavigate();
  return useCallback(
    () =>
      void navigate({
        to: '.',
        search: ({ run: _run, from: _from, ...before }: Record<string, unknown>) => before,
        hash: true,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
}

/** Those that fit the app; a workspace only where it is one of the template's. */
function listInventories({ id, app }: Template, inventories: readonly Inventory[]): Inventory[] {
  return inventories.filter(({ type, template_id: holder }) => {
    return fitsApp(app, type) && (!hasWorkspaces(app) || holder === id);
  });
}

type Place = { playbook: string; inventory: string | undefined; source: string | undefined };

/** deploy/api.yml on prod-eu, from infra@main */
function describePlace({ playbook, inventory, source }: Place): string {
  const parts = [
    playbook,
    inventory === undefined ? '' : t('launch.on', { inventory }),
    source === undefined ? '' : t('launch.from', { source }),
  ];
  return parts
    .filter((part) => part !== '')
    .join(' ')
    .replace(' ,', ',');
}

function readId(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}
