import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';

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
export function RowActions({
  name,
  onEdit,
  editReason,
  onDelete,
  deleteReason,
  isBusy = false,
  children,
}: RowActionsProps) {
  return (
    <>
      {children}
      {onEdit === undefined ? null : (
        <Tooltip label={editReason ?? t('ui.edit')} multiline maw={280}>
          <ActionIcon
            aria-label={t('ui.editNamed', { name })}
            onClick={editReason === undefined ? onEdit : undefined}
            {...(editReason === undefined ? {} : { 'data-disabled': true, 'aria-disabled': true })}
          >
            <IconPencil size={17} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
      {onDelete === undefined ? null : (
        <Tooltip label={deleteReason ?? t('ui.delete')} multiline maw={280}>
          <ActionIcon
            aria-label={t('ui.deleteNamed', { name })}
            onClick={deleteReason === undefined ? onDelete : undefined}
            disabled={isBusy}
            {...(deleteReason === undefined ? {} : { 'data-disabled': true, 'aria-disabled': true })}
          >
            <IconTrash size={17} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  );
}
