import { Button } from '@mantine/core';
import type { NewTotp } from '@signalbox/contract/totp';
import type { User } from '@signalbox/contract/users';
import { IconQrcode, IconShieldCheck, IconShieldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { systemQuery } from '../../lib/session.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { FormBanner } from '../../ui/form-banner.tsx';
import { SecretLine } from '../../ui/secret-line.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { totpPicture, useEnrolTotp, useRemoveTotp } from './data.ts';
import css from './users.module.css';

/** The second step of a user's sign-in: everybody sets up his own, and an administrator can take it away. */
export function TwoStep({ user, isSelf }: { user: User; isSelf: boolean }) {
  const { data: system } = useQuery(systemQuery);
  const enrol = useEnrolTotp(user.id);
  const remove = useRemoveTotp(user.id);
  const [isAsking, setAsking] = useState(false);
  const isOffered = system?.auth_methods.totp !== undefined;
  const handleRemove = (): void =>
    remove.mutate(user.totp?.id ?? 0, {
      onSuccess: () => {
        setAsking(false);
        enrol.reset();
        showSuccess(t('users.twoStepRemoved'));
      },
    });
  return (
    <section className={css.section}>
      <h3 className={css.heading}>{t('users.twoStep')}</h3>
      <FormBanner>{enrol.isError ? describeError(enrol.error) : undefined}</FormBanner>
      {user.totp === null ? (
        <>
          <p className={css.hint}>{t(giveOffHint(isOffered, isSelf))}</p>
          {isOffered && isSelf ? (
            <div>
              <Button
                leftSection={<IconShieldCheck size={17} stroke={1.7} />}
                loading={enrol.isPending}
                onClick={() => enrol.mutate()}
              >
                {t('users.twoStepEnable')}
              </Button>
            </div>
          ) : null}
        </>
      ) : (
        <>
          <p className={css.hint}>{t('users.twoStepOn')}</p>
          {isSelf ? <Enrolment user={user} totpId={user.totp.id} fresh={enrol.data} /> : null}
          <div>
            <Button
              variant="danger"
              leftSection={<IconShieldOff size={17} stroke={1.7} />}
              onClick={() => setAsking(true)}
            >
              {t('users.twoStepRemove')}
            </Button>
          </div>
        </>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={t('users.twoStepRemoveTitle')}
        confirmLabel={t('users.twoStepRemove')}
        isBusy={remove.isPending}
        error={remove.isError ? describeError(remove.error) : undefined}
        onConfirm={handleRemove}
        onClose={() => setAsking(false)}
      >
        {t('users.twoStepRemoveText', { name: user.name })}
      </ConfirmDialog>
    </section>
  );
}

function giveOffHint(isOffered: boolean, isSelf: boolean) {
  if (!isOffered) return 'users.twoStepNotOffered';
  return isSelf ? 'users.twoStepOff' : 'users.twoStepOffOther';
}

type EnrolmentProps = { user: User; totpId: number; fresh: NewTotp | undefined };

/** What the authenticator app reads, and the code for the day on which the app is lost. */
function Enrolment({ user, totpId, fresh }: EnrolmentProps) {
  const [isAsked, setAsked] = useState(false);
  const [isGone, setGone] = useState(false);
  const isNew = fresh?.id === totpId;
  return (
    <>
      {isNew || isAsked ? (
        isGone ? (
          <p className={css.hint}>{t('users.qrGone')}</p>
        ) : (
          <div className={css.enrolment}>
            <img
              src={totpPicture(user.id, totpId)}
              width={176}
              height={176}
              className={css.qr}
              alt={t('users.qr')}
              onError={() => setGone(true)}
            />
            <p className={css.hint}>{t('users.qrHint')}</p>
          </div>
        )
      ) : (
        <div>
          <Button leftSection={<IconQrcode size={17} stroke={1.7} />} onClick={() => setAsked(true)}>
            {t('users.qrShow')}
          </Button>
        </div>
      )}
      {isNew && fresh.recovery_code !== undefined ? (
        <>
          <SecretLine
            label={t('users.recoveryCode')}
            text={fresh.recovery_code}
            copyLabel={t('users.copyRecovery')}
            copied={t('users.recoveryCopied')}
            wordFailure={(reason) => t('users.cannotCopyRecovery', { reason })}
          />
          <p className={css.hint}>{t('users.recoveryHint')}</p>
        </>
      ) : null}
    </>
  );
}
