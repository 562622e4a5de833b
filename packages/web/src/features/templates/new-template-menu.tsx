import { Button, Menu, Tooltip } from '@mantine/core';
import { IconChevronDown, IconPlus, IconSettings } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { appsQuery } from '../../lib/project-lists.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { AppIcon } from '../../ui/app-icon.tsx';

type NewTemplateMenuProps = {
  projectId: number;
  /** View to which the new template belongs. */
  viewId: number | undefined;
};

/** Begins a template: first of all for which app. Administrators get to the apps from here, too. */
export function NewTemplateMenu({ projectId, viewId }: NewTemplateMenuProps) {
  const { data: apps } = useQuery(appsQuery);
  const { isAdmin } = useProjectAccess(projectId);
  const navigate = useNavigate();
  const active = (apps ?? []).filter((app) => app.active);
  const isOff = apps !== undefined && active.length === 0 && !isAdmin;
  const open = (app: string): void =>
    void navigate({
      to: '/project/$projectId/templates/new/edit',
      params: { projectId: String(projectId) },
      search: viewId === undefined ? { app } : { app, view: viewId },
    });
  return (
    <Menu position="bottom-end" width={220} disabled={isOff}>
      <Menu.Target>
        <Tooltip label={t('templates.noApps')} disabled={!isOff}>
          <Button
            variant="primary"
            data-disabled={isOff}
            aria-disabled={isOff}
            leftSection={<IconPlus size={17} stroke={1.7} />}
            rightSection={<IconChevronDown size={15} stroke={1.8} />}
          >
            {t('templates.new')}
          </Button>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        {active.map((app) => (
          <Menu.Item key={app.id} leftSection={<AppIcon app={app.id} size={17} />} onClick={() => open(app.id)}>
            {app.title}
          </Menu.Item>
        ))}
        {isAdmin ? (
          <>
            {active.length > 0 ? <Menu.Divider /> : null}
            <Menu.Item
              component={Link}
              to={'/apps' as string}
              leftSection={<IconSettings size={17} stroke={1.7} aria-hidden />}
            >
              {t('templates.applications')}
            </Menu.Item>
          </>
        ) : null}
      </Menu.Dropdown>
    </Menu>
  );
}
