import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconPlus } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { AppIcon } from '../../ui/app-icon.tsx';

/** Offers the apps that inventories are made for by hand; those of Terraform and OpenTofu are made with their template. */
export function NewInventoryMenu({ onNew }: { onNew: () => void }) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          variant="primary"
          leftSection={<IconPlus size={17} stroke={1.7} />}
          rightSection={<IconChevronDown size={15} stroke={1.8} />}
        >
          {t('inventories.new')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<AppIcon app="ansible" size={16} />} onClick={onNew}>
          {t('inventories.ofAnsible')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
