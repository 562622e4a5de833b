import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { describeError } from '../lib/failure.ts';
import { t } from '../lib/i18n.ts';
import { MessagePanel } from './message-panel.tsx';

type ErrorStateProps = {
  error: unknown;
  title?: string;
  onRetry?: (() => void) | undefined;
  action?: ReactNode;
};

/** What could not be shown, why, and a way to try again. */
export function ErrorState({ error, title = t('ui.cannotLoad'), onRetry, action }: ErrorStateProps) {
  const retry =
    onRetry === undefined ? undefined : (
      <Button onClick={onRetry} variant="default">
        {t('ui.tryAgain')}
      </Button>
    );
  return (
    <MessagePanel
      role="alert"
      icon={<IconAlertTriangle size={19} stroke={1.6} />}
      title={title}
      action={action ?? retry}
    >
      {describeError(error)}
    </MessagePanel>
  );
}
