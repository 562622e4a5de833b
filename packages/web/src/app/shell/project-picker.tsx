import { Menu, VisuallyHidden } from '@mantine/core';
import { grants, type Role } from '@signalbox/contract/permissions';
import { IconCheck, IconFileImport, IconPlus, IconSelector } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { describeRole } from '../../lib/describe-role.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { currentUserQuery, projectsQuery, roleQuery } from '../../lib/session.ts';
import { InitialsAvatar } from '../../ui/initials-avatar.tsx';
import css from './shell.module.css';

/** What the reader may do in the project, in a sentence. */
function describeAccess({ permissions }: Role, isAdmin: boolean): MessageKey {
  return isAdmin || grants(permissions, 'run') ? 'shell.canRun' : 'ui.readOnly';
}

/** The chosen project with the reader's role in it, and the way to the others. */
export function ProjectPicker({ projectId }: { projectId: number | undefined }) {
  const navigate = useNavigate();
  const { data: user } = useQuery(currentUserQuery);
  const { data: projects = [] } = useQuery(projectsQuery);
  const { data: role } = useQuery({ ...roleQuery(projectId ?? 0), enabled: projectId !== undefined });
  const project = projects.find(({ id }) => id === projectId);
  const canCreate = user?.can_create_project === true;
  if (project === undefined && !canCreate) return <div className={css.picker}>{t('shell.noProject')}</div>;
  return (
    <Menu position="bottom-start" width={236}>
      <Menu.Target>
        <button type="button" className={css.picker}>
          <VisuallyHidden>{t('shell.chooseProject')}</VisuallyHidden>
          {project === undefined ? null : <InitialsAvatar name={project.name} id={project.id} />}
          <span className={css.names}>
            <span className={css.name} title={project?.name}>
              {project?.name ?? t('shell.noProject')}
            </span>
            {project === undefined || role === undefined ? null : (
              <span className={css.detail}>{describeRole(role, user?.admin ?? false)}</span>
            )}
          </span>
          <IconSelector size={17} stroke={1.7} className={css.chevron} aria-hidden />
        </button>
      </Menu.Target>
      <Menu.Dropdown className={css.projects}>
        {role === undefined ? null : <Menu.Label>{t(describeAccess(role, user?.admin ?? false))}</Menu.Label>}
        {projects.map(({ id, name }) => (
          <Menu.Item
            key={id}
            leftSection={<InitialsAvatar name={name} id={id} size={24} />}
            rightSection={id === projectId ? <IconCheck size={15} stroke={1.8} aria-hidden /> : null}
            onClick={() => void navigate({ to: '/project/$projectId', params: { projectId: String(id) }, search: {} })}
          >
            {name}
          </Menu.Item>
        ))}
        {canCreate ? (
          <>
            {projects.length > 0 ? <Menu.Divider /> : null}
            <Menu.Item
              leftSection={<IconPlus size={17} stroke={1.7} className={css.pickerIcon} />}
              onClick={() => void navigate({ to: '/project/new', search: {} })}
            >
              {t('shell.newProject')}
            </Menu.Item>
            <Menu.Item
              leftSection={<IconFileImport size={17} stroke={1.7} className={css.pickerIcon} />}
              onClick={() => void navigate({ to: '/project/restore', search: {} })}
            >
              {t('shell.restoreProject')}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
