import { Button } from '@mantine/core';
import type { ExtractedValue } from '@signalbox/contract/integration-values';
import { IconPlus, IconVariable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useFreshSave } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { NamedCell } from '../../ui/named-cell.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { RowActions } from '../../ui/row-actions.tsx';
import { RowButton } from '../../ui/row-target.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import css from './integrations.module.css';
import { sourceNames } from './part-drafts.ts';
import { type IntegrationPlace, useSaveValue, useValueRemoval, valuesQuery } from './parts-data.ts';
import { Section } from './section.tsx';
import { usePartSearch } from './use-part-search.ts';
import { ValueFormDialog } from './value-form-dialog.tsx';

/** The texts of a call that become variables of its task. */
export function ValueList({ place, canEdit }: { place: IntegrationPlace; canEdit: boolean }) {
  const values = useQuery(valuesQuery(place));
  const [editing, setEditing] = usePartSearch('value');
  const save = useSaveValue(place);
  useFreshSave(editing, save.reset);
  const removal = useValueRemoval(place, ({ name }) => showSuccess(t('integrations.valueDeleted', { name })));
  const edited = values.data?.find(({ id }) => id === editing);
  const handleClose = (): void => setEditing(undefined);
  const renderActions = (value: ExtractedValue) => (
    <RowActions
      name={value.name}
      onEdit={() => setEditing(value.id)}
      onDelete={() => removal.start(value)}
      isBusy={removal.isBusy}
    />
  );
  return (
    <Section
      title={t('integrations.values')}
      hint={t('integrations.valuesHint')}
      action={
        canEdit ? (
          <Button size="xs" leftSection={<IconPlus size={15} stroke={1.7} />} onClick={() => setEditing('new')}>
            {t('integrations.addValue')}
          </Button>
        ) : undefined
      }
    >
      {values.error !== null && values.data === undefined ? (
        <ErrorState error={values.error} onRetry={() => void values.refetch()} />
      ) : (
        <DataTable
          label={t('integrations.values')}
          columns={listColumns(canEdit ? setEditing : undefined)}
          rows={values.data}
          rowKey={({ id }) => id}
          {...(canEdit ? { renderActions } : {})}
          empty={<p className={css.none}>{t('integrations.noValues')}</p>}
        />
      )}
      {canEdit && (editing === 'new' || edited !== undefined) ? (
        <ValueFormDialog
          key={editing}
          value={edited}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(change) => save.mutate(change, { onSuccess: handleClose })}
          onClose={handleClose}
        />
      ) : null}
      <RemovalDialogs removal={removal} object={t('integrations.valueObject')} />
    </Section>
  );
}

function listColumns(onOpen: ((id: number) => void) | undefined): Column<ExtractedValue>[] {
  return [
    {
      id: 'name',
      title: t('integrations.name'),
      inList: 'title',
      render: ({ id, name }) => (
        <NamedCell icon={<IconVariable size={14} stroke={1.7} />}>
          {onOpen === undefined ? name : <RowButton onClick={() => onOpen(id)}>{name}</RowButton>}
        </NamedCell>
      ),
    },
    {
      id: 'source',
      title: t('integrations.takenFrom'),
      inList: 'note',
      render: ({ value_source: source, body_data_type: format, key }) => (
        <span className={css.condition}>
          <Tag>{t(sourceNames[source])}</Tag>
          {source === 'body' && format === 'string' ? (
            t('integrations.wholeBody')
          ) : (
            <code className={css.code}>{key}</code>
          )}
        </span>
      ),
    },
    { id: 'variable', title: t('integrations.variable'), mono: true, render: ({ variable }) => variable },
  ];
}
