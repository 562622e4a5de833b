import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './icon-button.tsx';
import { showFailure, showSuccess } from './snackbar.ts';

type CopyButtonProps = {
  /** What is copied. */
  text: string;
  /** Says what the button does; 'Copy' without it. */
  label?: string;
  /** Snackbar after it; without one the icon alone confirms. */
  done?: string;
  /** Words for a copy that failed, where the usual ones do not do. */
  wordFailure?: (reason: string) => string;
};

function wordAnyFailure(reason: string): string {
  return t('ui.cannotCopy', { reason });
}

export function CopyButton({ text, label = t('ui.copy'), done, wordFailure = wordAnyFailure }: CopyButtonProps) {
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
      showFailure(wordFailure(error instanceof Error ? error.message : String(error)));
    }
  };
  return (
    <IconButton label={label} hint={isCopied ? t('ui.copied') : label} size={26} onClick={() => void handleClick()}>
      {isCopied ? <IconCheck size={15} stroke={1.8} /> : <IconCopy size={15} stroke={1.7} />}
    </IconButton>
  );
}
