import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';
import { IconButton } from './icon-button.tsx';

type RowActionsProps = {
  /** Name of the row's object, so that the buttons of two rows can be told apart. */
  name: string;
  onEdit?: () => void;
  /** Why this one cannot be edited; undefined where it can. */
  editReason?: string | undefined;
  onDelete?: () => void;
  /** Why this one cannot be deleted; undefined where it can. */
  deleteReason?: string | undefined;
  isBusy?: boolean;
  /** What the row offers besides; stands first. */
  children?: ReactNode;
};

/** The buttons at the end of a row: the same ones in the same order in every table. */
export function RowActions(props: RowActionsProps) {
  const { name, onEdit, editReason, onDelete, deleteReason, isBusy = false, children } = props;
  return (
    <>
      {children}
      {onEdit === undefined ? null : (
        <IconButton label={t('ui.editNamed', { name })} hint={t('ui.edit')} reason={editReason} onClick={onEdit}>
          <IconPencil size={17} stroke={1.7} />
        </IconButton>
      )}
      {onDelete === undefined ? null : (
        <IconButton
          label={t('ui.deleteNamed', { name })}
          hint={t('ui.delete')}
          reason={deleteReason}
          isDisabled={isBusy}
          onClick={onDelete}
        >
          <IconTrash size={17} stroke={1.7} />
        </IconButton>
      )}
    </>
  );
}
