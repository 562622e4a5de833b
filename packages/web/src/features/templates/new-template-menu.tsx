import { Button, Menu, Tooltip } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { appsQuery } from '../../lib/project-lists.ts';
import { AppIcon } from '../../ui/app-icon.tsx';

/** Begins a template: first of all for which app. */
export function NewTemplateMenu({ projectId }: { projectId: number }) {
  const { data: apps } = useQuery(appsQuery);
  const navigate = useNavigate();
  const active = (apps ?? []).filter((app) => app.active);
  const isEmpty = apps !== undefined && active.length === 0;
  const open = (app: string): void =>
    void navigate({
      to: '/project/$projectId/templates/new/edit',
      params: { projectId: String(projectId) },
      search: { app },
    });
  return (
    <Menu position="bottom-end" width={220} disabled={isEmpty}>
      <Menu.Target>
        <Tooltip label={t('templates.noApps')} disabled={!isEmpty}>
          <Button
            variant="primary"
            data-disabled={isEmpty}
            aria-disabled={isEmpty}
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
      </Menu.Dropdown>
    </Menu>
  );
}
