import { Button } from '@mantine/core';
import type { User } from '@signalbox/contract/users';
import { IconLock } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { SessionList } from './session-list.tsx';
import { TwoStep } from './two-step.tsx';
import css from './users.module.css';

type SecurityTabProps = { user: User; isSelf: boolean; onPassword: () => void };

/** How a user signs in, and where he is signed in. */
export function SecurityTab({ user, isSelf, onPassword }: SecurityTabProps) {
  return (
    <>
      <section className={css.section}>
        <h3 className={css.heading}>{t('users.password')}</h3>
        {user.external ? (
          <p className={css.hint}>{t('users.externalPassword')}</p>
        ) : (
          <div>
            <Button leftSection={<IconLock size={17} stroke={1.7} />} onClick={onPassword}>
              {t('users.changePassword')}
            </Button>
          </div>
        )}
      </section>
      <TwoStep user={user} isSelf={isSelf} />
      <SessionList userId={user.id} isSelf={isSelf} />
    </>
  );
}
