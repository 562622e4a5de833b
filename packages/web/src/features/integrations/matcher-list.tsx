import { Button } from '@mantine/core';
import type { Matcher } from '@signalbox/contract/integration-matchers';
import { IconFilter, IconPlus } from '@tabler/icons-react';
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
import { MatcherFormDialog } from './matcher-form-dialog.tsx';
import { methodNames, sourceNames } from './part-drafts.ts';
import { type IntegrationPlace, matchersQuery, useMatcherRemoval, useSaveMatcher } from './parts-data.ts';
import { Section } from './section.tsx';
import { usePartSearch } from './use-part-search.ts';

/** The conditions on a call; all of them must hold. */
export function MatcherList({ place, canEdit }: { place: IntegrationPlace; canEdit: boolean }) {
  const matchers = useQuery(matchersQuery(place));
  const [editing, setEditing] = usePartSearch('matcher');
  const save = useSaveMatcher(place);
  useFreshSave(editing, save.reset);
  const removal = useMatcherRemoval(place, ({ name }) => showSuccess(t('integrations.matcherDeleted', { name })));
  const edited = matchers.data?.find(({ id }) => id === editing);
  const handleClose = (): void => setEditing(undefined);
  const renderActions = (matcher: Matcher) => (
    <RowActions
      name={matcher.name}
      onEdit={() => setEditing(matcher.id)}
      onDelete={() => removal.start(matcher)}
      isBusy={removal.isBusy}
    />
  );
  return (
    <Section
      title={t('integrations.matchers')}
      hint={t('integrations.matchersHint')}
      action={
        canEdit ? (
          <Button size="xs" leftSection={<IconPlus size={15} stroke={1.7} />} onClick={() => setEditing('new')}>
            {t('integrations.addMatcher')}
          </Button>
        ) : undefined
      }
    >
      {matchers.error !== null && matchers.data === undefined ? (
        <ErrorState error={matchers.error} onRetry={() => void matchers.refetch()} />
      ) : (
        <DataTable
          label={t('integrations.matchers')}
          columns={listColumns(canEdit ? setEditing : undefined)}
          rows={matchers.data}
          rowKey={({ id }) => id}
          {...(canEdit ? { renderActions } : {})}
          empty={<p className={css.none}>{t('integrations.noMatchers')}</p>}
        />
      )}
      {canEdit && (editing === 'new' || edited !== undefined) ? (
        <MatcherFormDialog
          key={editing}
          value={edited}
          isBusy={save.isPending}
          error={save.error}
          onSubmit={(change) => save.mutate(change, { onSuccess: handleClose })}
          onClose={handleClose}
        />
      ) : null}
      <RemovalDialogs removal={removal} object={t('integrations.matcher')} />
    </Section>
  );
}

function listColumns(onOpen: ((id: number) => void) | undefined): Column<Matcher>[] {
  return [
    {
      id: 'name',
      title: t('integrations.name'),
      inList: 'title',
      render: ({ id, name }) => (
        <NamedCell icon={<IconFilter size={14} stroke={1.7} />}>
          {onOpen === undefined ? name : <RowButton onClick={() => onOpen(id)}>{name}</RowButton>}
        </NamedCell>
      ),
    },
    {
      id: 'condition',
      title: t('integrations.condition'),
      inList: 'note',
      render: ({ match_type: source, body_data_type: format, key, method, value }) => (
        <span className={css.condition}>
          <Tag>{t(sourceNames[source])}</Tag>
          {source === 'body' && format === 'string' ? null : <code className={css.code}>{key}</code>}
          {t(methodNames[method])}
          <code className={css.code}>{value}</code>
        </span>
      ),
    },
  ];
}
