import { ActionIcon, Tooltip } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { showFailure, showSuccess } from './snackbar.ts';

type CopyButtonProps = {
  /** What is copied. */
  text: string;
  /** Says what the button does; 'Copy' without it. */
  label?: string;
  /** Snackbar after it; without one the icon alone confirms. */
  done?: string;
};

export function CopyButton({ text, label = t('ui.copy'), done }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const handleClick = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      if (done !== undefined) showSuccess(done);
    } catch (error) {
      showFailure(t('ui.cannotCopy', { reason: error instanceof Error ? error.message : String(error) }));
    }
  };
  return (
    <Tooltip label={isCopied ? t('ui.copied') : label}>
      <ActionIcon aria-label={label} size={26} onClick={() => void handleClick()}>
        {isCopied ? <IconCheck size={15} stroke={1.8} /> : <IconCopy size={15} stroke={1.7} />}
      </ActionIcon>
    </Tooltip>
  );
}
