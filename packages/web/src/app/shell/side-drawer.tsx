import { Drawer } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import { NavLinks } from './nav-links.tsx';
import { ProjectPicker } from './project-picker.tsx';
import css from './shell.module.css';
import { UserMenu } from './user-menu.tsx';

type SideDrawerProps = { projectId: number | undefined; isOpen: boolean; onClose: () => void };

/** The drawer: beside the page from 960 px on, over it below. */
export function SideDrawer({ projectId, isOpen, onClose }: SideDrawerProps) {
  const content = (
    <>
      <ProjectPicker projectId={projectId} />
      {projectId === undefined ? <div className={css.links} /> : <NavLinks projectId={projectId} />}
      <UserMenu />
    </>
  );
  return (
    <>
      <aside className={css.drawer}>{content}</aside>
      <Drawer.Root opened={isOpen} onClose={onClose} size={260}>
        <Drawer.Overlay />
        <Drawer.Content aria-label={t('shell.menu')}>
          <div className={css.sheet}>{content}</div>
        </Drawer.Content>
      </Drawer.Root>
    </>
  );
}
