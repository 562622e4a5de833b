import { Button } from '@mantine/core';
import type { Session } from '@signalbox/contract/sessions';
import { IconDeviceDesktop, IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { showFailure } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { nameBrowser } from './browser-name.ts';
import { useEndSession, userSessionsQuery } from './data.ts';
import css from './users.module.css';

/** Where a user is signed in, and the way to end it there. */
export function SessionList({ userId, isSelf }: { userId: number; isSelf: boolean }) {
  const sessions = useQuery(userSessionsQuery(userId));
  const end = useEndSession(userId);
  const handleEnd = (session: number | 'all'): void => end.mutate(session, { onError: showFailure });
  const others = sessions.data?.filter(({ current }) => !current) ?? [];
  return (
    <section className={css.section} aria-busy={sessions.isPending}>
      <h3 className={css.heading}>{t('users.sessions')}</h3>
      <FormBanner>{sessions.isError ? describeError(sessions.error) : undefined}</FormBanner>
      {sessions.data?.length === 0 ? <p className={css.hint}>{t('users.noSessions')}</p> : null}
      <ul className={css.sessions}>
        {sessions.data?.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => handleEnd(session.id)} />
        ))}
      </ul>
      {others.length > 1 || (others.length === 1 && isSelf) ? (
        <div>
          <Button loading={end.isPending && end.variables === 'all'} onClick={() => handleEnd('all')}>
            {t(isSelf ? 'users.endOthers' : 'users.endAll')}
          </Button>
        </div>
      ) : null}
    </section>
  );
}

function SessionItem({ session, onEnd }: { session: Session; onEnd: () => void }) {
  const { browser, system } = nameBrowser(session.user_agent);
  const name =
    browser === '' ? t('users.unknownBrowser') : system === '' ? browser : t('users.browserOn', { browser, system });
  return (
    <li className={css.session}>
      <IconDeviceDesktop size={17} stroke={1.6} aria-hidden className={css.device} />
      <div className={css.sessionText}>
        <div className={css.sessionName}>
          <span title={session.user_agent}>{name}</span>
          {session.current ? <Tag>{t('users.thisSession')}</Tag> : null}
          {session.verified ? null : <Tag tone="warning">{t('users.unverified')}</Tag>}
        </div>
        <div className={css.hint}>
          {session.address} · <TimeAgo time={session.last_active} />
        </div>
      </div>
      {session.current ? null : (
        <IconButton
          label={t('users.endSessionOf', { name, address: session.address })}
          hint={t('users.endSession')}
          onClick={onEnd}
        >
          <IconX size={17} stroke={1.7} />
        </IconButton>
      )}
    </li>
  );
}
