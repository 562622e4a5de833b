import '@mantine/core/styles/PinInput.layer.css';
import { Button, PinInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useOnce } from '../../lib/use-once.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { useRecover, useVerify } from './data.ts';
import css from './login-screen.module.css';
import { wordRefusal } from './refusal.ts';

const CODE_LENGTH = 6;

type SecondStepProps = {
  /** Whether the recovery code may take the place of the app's code. */
  canRecover: boolean;
  onSignedIn: () => void;
  onGiveUp: () => void;
};

/** Asks for what shows that the person of the password is there: a code of his app, or the recovery code. */
export function SecondStep({ canRecover, onSignedIn, onGiveUp }: SecondStepProps) {
  const [wantsRecovery, setWantsRecovery] = useState(false);
  const isRecovery = wantsRecovery && canRecover;
  return (
    <>
      <h2 className={css.stepTitle}>{t(isRecovery ? 'signIn.recovery' : 'signIn.secondStep')}</h2>
      {isRecovery ? <RecoveryForm onSignedIn={onSignedIn} /> : <CodeForm onSignedIn={onSignedIn} />}
      <div className={css.ways}>
        {canRecover ? (
          <button type="button" className={css.way} onClick={() => setWantsRecovery(!isRecovery)}>
            {t(isRecovery ? 'signIn.useCode' : 'signIn.useRecovery')}
          </button>
        ) : null}
        <button type="button" className={css.way} onClick={onGiveUp}>
          {t('signIn.otherAccount')}
        </button>
      </div>
    </>
  );
}

function CodeForm({ onSignedIn }: { onSignedIn: () => void }) {
  const verify = useVerify();
  const [code, setCode] = useState('');
  const [hasTried, setTried] = useState(false);
  const [refusals, setRefusals] = useState(0);
  const send = (entered: string): void => {
    setTried(true);
    if (entered.length !== CODE_LENGTH || verify.isPending) return;
    const handleRefusal = (): void => {
      setCode('');
      setRefusals(refusals + 1);
    };
    verify.mutate(entered, { onSuccess: onSignedIn, onError: handleRefusal });
  };
  const sendOnce = useOnce(send);
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    sendOnce(code);
  };
  const isShort = hasTried && code.length < CODE_LENGTH && !verify.isError;
  return (
    <form className={css.form} onSubmit={handleSubmit} noValidate>
      <FormBanner>{verify.isError ? wordRefusal(verify.error, 'signIn.wrongCode') : undefined}</FormBanner>
      <div>
        <p className={css.stepText} id="code-hint">
          {t('signIn.codeText')}
        </p>
        <PinInput
          // After a wrong code the first field is under the cursor again.
          key={refusals}
          length={CODE_LENGTH}
          type="number"
          placeholder=""
          autoFocus
          oneTimeCode
          ariaLabel={t('signIn.code')}
          aria-describedby="code-hint"
          gap={8}
          size="md"
          className={css.code}
          value={code}
          error={isShort}
          readOnly={verify.isPending}
          onChange={setCode}
          onComplete={send}
        />
        {isShort ? <p className={css.fieldError}>{t('signIn.codeRequired')}</p> : null}
      </div>
      <Button type="submit" variant="primary" size="md" fullWidth loading={verify.isPending}>
        {t('signIn.verify')}
      </Button>
    </form>
  );
}

function RecoveryForm({ onSignedIn }: { onSignedIn: () => void }) {
  const recover = useRecover();
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string>();
  const sendOnce = useOnce((entered: string) => {
    setProblem(entered === '' ? t('field.required', { field: t('signIn.recoveryCode') }) : undefined);
    if (entered !== '') recover.mutate(entered, { onSuccess: onSignedIn });
  });
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    sendOnce(code.trim());
  };
  return (
    <form className={css.form} onSubmit={handleSubmit} noValidate>
      <FormBanner>{recover.isError ? wordRefusal(recover.error, 'signIn.wrongRecovery') : undefined}</FormBanner>
      <p className={css.stepText}>{t('signIn.recoveryText')}</p>
      <TextInput
        label={t('signIn.recoveryCode')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        value={code}
        error={problem}
        onChange={(event) => {
          setCode(event.currentTarget.value);
          setProblem(undefined);
        }}
      />
      <Button type="submit" variant="primary" size="md" fullWidth loading={recover.isPending}>
        {t('signIn.recover')}
      </Button>
    </form>
  );
}
