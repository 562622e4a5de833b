import { ActionIcon, Tooltip } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../lib/i18n.ts';

type RowActionsProps = {
  /** Name of the row's object, so that the buttons of two rows can be told apart. */
  name: string;
  onEdit?: () => void;
  onDelete?: () => void;
  isBusy?: boolean;
  /** What the row offers besides; stands first. */
  children?: ReactNode;
};

/** The buttons at the end of a row: the same ones in the same order in every table. */
export function RowActions({ name, onEdit, onDelete, isBusy = false, children }: RowActionsProps) {
  return (
    <>
      {children}
      {onEdit === undefined ? null : (
        <Tooltip label={t('ui.edit')}>
          <ActionIcon aria-label={t('ui.editNamed', { name })} onClick={onEdit}>
            <IconPencil size={17} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
      {onDelete === undefined ? null : (
        <Tooltip label={t('ui.delete')}>
          <ActionIcon aria-label={t('ui.deleteNamed', { name })} onClick={onDelete} disabled={isBusy}>
            <IconTrash size={17} stroke={1.7} />
          </ActionIcon>
        </Tooltip>
      )}
    </>
  );
}
