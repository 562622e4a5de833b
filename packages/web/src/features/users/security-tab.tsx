import { Button } from '@mantine/core';
import type { User } from '@signalbox/contract/users';
import { IconLock } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { SessionList } from './session-list.tsx';
import { TwoStep } from './two-step.tsx';
import css from './users.module.css';

type SecurityTabProps = { user: User; isSelf: boolean };

/** How a user signs in, and where he is signed in. */
export function SecurityTab({ user, isSelf }: SecurityTabProps) {
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <section className={css.section}>
        <h3 className={css.heading}>{t('users.password')}</h3>
        {user.external ? (
          <p className={css.hint}>{t('users.externalPassword')}</p>
        ) : (
          <div>
            <Button leftSection={<IconLock size={17} stroke={1.7} />} onClick={() => setChanging(true)}>
              {t('users.changePassword')}
            </Button>
          </div>
        )}
      </section>
      <TwoStep user={user} isSelf={isSelf} />
      <SessionList userId={user.id} isSelf={isSelf} />
      {isChanging ? <PasswordDialog user={user} isSelf={isSelf} onClose={() => setChanging(false)} /> : null}
    </>
  );
}
