import { t } from '../lib/i18n.ts';
import type { Removal } from '../lib/use-removal.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { ReferencesDialog } from './references-dialog.tsx';

type RemovalDialogsProps<Row extends { id: number; name: string }> = {
  removal: Removal<Row>;
  /** What it is, in the middle of a sentence: 'key', 'repository'. */
  object: string;
};

/** Asks before something is deleted, or says what uses it. */
export function RemovalDialogs<Row extends { id: number; name: string }>({
  removal,
  object,
}: RemovalDialogsProps<Row>) {
  const { target, blockers } = removal;
  if (target === undefined) return null;
  if (blockers !== undefined) {
    return <ReferencesDialog isOpen object={object} references={blockers} onClose={removal.close} />;
  }
  return (
    <ConfirmDialog
      isOpen
      title={t('ui.deleteTitle', { object })}
      confirmLabel={t('ui.delete')}
      isBusy={removal.isBusy}
      error={removal.error}
      onConfirm={removal.confirm}
      onClose={removal.close}
    >
      {t('ui.deleteText', { name: target.name })}
    </ConfirmDialog>
  );
}
