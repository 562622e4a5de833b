import { ActionIcon, Tooltip } from '@mantine/core';
import { IconMenu2, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { useLiveState } from '../../lib/live.ts';
import { type Crumb, useCurrentPage } from '../../lib/page.ts';
import { useOptionalProjectId } from '../../lib/project-id.ts';
import { projectsQuery } from '../../lib/session.ts';
import type { LiveState } from '../../lib/socket.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { openCommand } from '../commands.ts';
import css from './shell.module.css';

type TopBarProps = { onMenu: () => void };

/** Where the reader is, and whether what is shown is live. */
export function TopBar({ onMenu }: TopBarProps) {
  const { title, parents } = useCurrentPage();
  const projectId = useOptionalProjectId();
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === projectId);
  const first: Crumb[] =
    project === undefined || title === '' || parents.length > 0
      ? []
      : [
          {
            label: project.name,
            link: { to: '/project/$projectId/history', params: { projectId: String(project.id) } },
          },
        ];
  return (
    <header className={css.topbar}>
      <ActionIcon aria-label={t('shell.menu')} hiddenFrom="md" onClick={onMenu}>
        <IconMenu2 size={19} stroke={1.7} />
      </ActionIcon>
      <nav aria-label={t('shell.place')} style={{ flex: 1, minWidth: 0 }}>
        <ol className={css.crumbs}>
          {[...first, ...parents].map(({ label, link }) => (
            <Fragment key={`${label} ${link?.to}`}>
              <li>{link === undefined ? label : <Link {...link}>{label}</Link>}</li>
              <span className={css.slash} aria-hidden>
                /
              </span>
            </Fragment>
          ))}
          <li aria-current="page">{title}</li>
        </ol>
      </nav>
      <IconButton label={t('palette.open')} aria-keyshortcuts="Control+K Meta+K" onClick={() => openCommand('palette')}>
        <IconSearch size={18} stroke={1.7} />
      </IconButton>
      <LiveBadge />
    </header>
  );
}

const words: Record<LiveState, { label: MessageKey; hint: MessageKey }> = {
  live: { label: 'shell.live', hint: 'shell.liveHint' },
  connecting: { label: 'shell.connecting', hint: 'shell.connectingHint' },
  lost: { label: 'shell.lost', hint: 'shell.lostHint' },
};

function LiveBadge() {
  const state = useLiveState();
  return (
    <Tooltip label={t(words[state].hint)}>
      <span className={css.live} data-state={state} role="status">
        <span className={css.dot} aria-hidden />
        {t(words[state].label)}
      </span>
    </Tooltip>
  );
}
