import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { useOpenForm } from '../../lib/use-open-form.ts';
import type { Removal } from '../../lib/use-removal.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import css from './integrations.module.css';
import type { PartFormProps } from './part-form-dialog.tsx';
import type { PartSave } from './parts-data.ts';
import { Section } from './section.tsx';
import { usePartSearch } from './use-part-search.ts';

type PartListProps<Part extends { id: number; name: string }, Input> = {
  /** The name under which the address opens one. */
  kind: 'matcher' | 'value';
  title: string;
  hint: string;
  addLabel: string;
  /** Said where there is none. */
  none: string;
  /** What it is, in the middle of a sentence. */
  object: string;
  icon: ReactNode;
  /** What stands after the name. */
  columns: Column<Part>[];
  parts: UseQueryResult<Part[]>;
  save: UseMutationResult<void, Error, PartSave<Input>>;
  removal: Removal<Part>;
  Form: ComponentType<PartFormProps<Part, Input>>;
  canEdit: boolean;
};

/** The matchers or the values of an integration, and the form of the one that the address opens. */
export function PartList<Part extends { id: number; name: string }, Input>(props: PartListProps<Part, Input>) {
  const { parts, save, removal, Form, canEdit } = props;
  const [editing, setEditing] = usePartSearch(props.kind);
  const form = useOpenForm([editing, setEditing], parts.data, save);
  const renderActions = (part: Part) => (
    <RowActions
      name={part.name}
      onEdit={() => setEditing(part.id)}
      onDelete={() => removal.start(part)}
      isBusy={removal.isBusy}
    />
  );
  const nameColumn: Column<Part> = {
    id: 'name',
    title: t('integrations.name'),
    inList: 'title',
    render: ({ id, name }) => (
      <NamedCell icon={props.icon}>
        {canEdit ? <RowButton onClick={() => setEditing(id)}>{name}</RowButton> : name}
      </NamedCell>
    ),
  };
  return (
    <Section
      title={props.title}
      hint={props.hint}
      action={
        canEdit ? (
          <Button size="xs" leftSection={<IconPlus size={15} stroke={1.7} />} onClick={() => setEditing('new')}>
            {props.addLabel}
          </Button>
        ) : undefined
      }
    >
      {parts.error !== null && parts.data === undefined ? (
        <ErrorState error={parts.error} onRetry={() => void parts.refetch()} />
      ) : (
        <DataTable
          label={props.title}
          columns={[nameColumn, ...props.columns]}
          rows={parts.data}
          rowKey={({ id }) => id}
          {...(canEdit ? { renderActions } : {})}
          empty={<p className={css.none}>{props.none}</p>}
        />
      )}
      {canEdit && form.isOpen ? <Form key={form.key} {...form.props} /> : null}
      <RemovalDialogs removal={removal} object={props.object} />
    </Section>
  );
}
