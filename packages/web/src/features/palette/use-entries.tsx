import { grants } from '@signalbox/contract/permissions';
import type { TaskStatus } from '@signalbox/contract/task-state';
import { IconKeyboard, IconPlayerPlay } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { templatesQuery } from '../../lib/project-lists.ts';
import { currentUserQuery, projectsQuery, roleQuery } from '../../lib/session.ts';
import { projectTasksQuery } from '../../lib/task-queries.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import type { Entry } from './choose-items.ts';

export type PaletteEntry = Entry & {
  icon: ReactNode;
  /** Of a task, so that its state is shown as everywhere. */
  status?: TaskStatus;
  run: () => void;
};

/** A named place, as the application lists them. */
export type PalettePage = { label: string; to: string; icon: ReactNode; isOfProject: boolean };

export type PaletteScope = {
  /** Undefined before there is any. */
  projectId: number | undefined;
  isOpen: boolean;
  pages: readonly PalettePage[];
  onShortcuts: () => void;
};

/** As many as are worth a letter more in the query. */
const recentTasks = 50;

/** Everything that the palette reaches from here. */
export function useEntries({ projectId, isOpen, pages, onShortcuts }: PaletteScope): PaletteEntry[] {
  const projectEntries = useProjectEntries(isOpen ? projectId : undefined);
  const { data: projects = [] } = useQuery(projectsQuery);
  const navigate = useNavigate();
  const go = (to: string, id: number | undefined): void =>
    // The paths come from the application's own table, which knows only routes that are there.
    void navigate({ to, params: id === undefined ? {} : { projectId: String(id) }, search: {} } as never);
  return [
    ...pages.map(({ label, to, icon, isOfProject }) => ({
      id: `page:${to}`,
      kind: isOfProject ? ('page' as const) : ('admin' as const),
      label,
      icon,
      run: () => go(to, isOfProject ? projectId : undefined),
    })),
    ...projectEntries,
    ...projects
      .filter(({ id }) => id !== projectId)
      .map(({ id, name }) => ({
        id: `project:${id}`,
        kind: 'project' as const,
        label: name,
        icon: <InitialsAvatar name={name} id={id} size={20} />,
        run: () => go('/project/$projectId', id),
      })),
    {
      id: 'action:shortcuts',
      kind: 'action',
      label: t('shortcuts.title'),
      icon: <IconKeyboard size={17} stroke={1.7} aria-hidden />,
      run: onShortcuts,
    },
  ];
}

/** Templates, their launches and the latest tasks of a project; none while the palette is closed. */
function useProjectEntries(projectId: number | undefined): PaletteEntry[] {
  const id = projectId ?? 0;
  const enabled = projectId !== undefined;
  const { data: templates = [] } = useQuery({ ...templatesQuery(id), enabled });
  const { data: tasks = [] } = useQuery({ ...projectTasksQuery(id, { limit: recentTasks }), enabled });
  const { data: role } = useQuery({ ...roleQuery(id), enabled });
  const { data: user } = useQuery(currentUserQuery);
  const navigate = useNavigate();
  if (!enabled) return [];
  const params = { projectId: String(id) };
  const canRun = user?.admin === true || grants(role?.permissions ?? 0, 'run');
  // Over the screen that is shown, as a button there would open it.
  const open = (change: object): void =>
    void navigate({ to: '.', search: (before: Record<string, unknown>) => ({ ...before, ...change }), hash: '' });
  return [
    ...templates.map(({ id: templateId, name, app, playbook }) => ({
      id: `template:${templateId}`,
      kind: 'template' as const,
      label: name,
      detail: playbook,
      icon: <AppIcon app={app} size={17} />,
      run: () =>
        void navigate({
          to: '/project/$projectId/templates/$templateId/tasks',
          params: { ...params, templateId: String(templateId) },
          search: {},
        }),
    })),
    ...(canRun ? templates : []).map(({ id: templateId, name, playbook }) => ({
      id: `launch:${templateId}`,
      kind: 'launch' as const,
      label: t('palette.run', { name }),
      detail: playbook,
      icon: <IconPlayerPlay size={17} stroke={1.7} aria-hidden />,
      run: () => open({ run: templateId, from: undefined, t: undefined }),
    })),
    ...tasks.map((task) => ({
      id: `task:${task.id}`,
      kind: 'task' as const,
      label: `#${task.id} ${task.tpl_alias}`,
      detail: task.message || task.commit_message,
      icon: <AppIcon app={task.tpl_app} size={17} />,
      status: task.status,
      run: () => open({ t: task.id, run: undefined, from: undefined }),
    })),
  ];
}
