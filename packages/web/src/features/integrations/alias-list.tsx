import { Button } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { type AliasOwner, aliasesQuery, useAddAlias, useAliasRemoval } from './data.ts';
import css from './integrations.module.css';
import { Section } from './section.tsx';

type AliasListProps = AliasOwner & { title: string; hint: string; canEdit: boolean };

/** Addresses under which calls arrive, to copy and to delete. */
export function AliasList({ projectId, integrationId, title, hint, canEdit }: AliasListProps) {
  const owner = { projectId, integrationId };
  const aliases = useQuery(aliasesQuery(owner));
  const add = useAddAlias(owner);
  const removal = useAliasRemoval(owner, () => showSuccess(t('integrations.aliasDeleted')));
  const addButton = canEdit ? (
    <Button
      size="xs"
      leftSection={<IconPlus size={15} stroke={1.7} />}
      disabled={aliases.data === undefined}
      loading={add.isPending}
      onClick={() => add.mutate()}
    >
      {t('integrations.addAlias')}
    </Button>
  ) : undefined;
  if (aliases.error !== null && aliases.data === undefined) {
    return (
      <Section title={title} hint={hint}>
        <ErrorState error={aliases.error} onRetry={() => void aliases.refetch()} />
      </Section>
    );
  }
  return (
    <Section title={title} hint={hint} action={addButton}>
      {aliases.data === undefined ? <p className={css.none}>{t('ui.loading')}</p> : null}
      {aliases.data?.length === 0 ? <p className={css.none}>{t('integrations.noAliases')}</p> : null}
      {(aliases.data?.length ?? 0) > 0 ? (
        <ul className={css.aliases}>
          {aliases.data?.map(({ id, url }) => (
            <li key={id} className={css.alias}>
              <code>{url}</code>
              <CopyButton
                text={url}
                label={t('integrations.copyAlias', { url })}
                done={t('integrations.aliasCopied')}
              />
              {canEdit ? (
                <IconButton
                  label={t('ui.deleteNamed', { name: url })}
                  hint={t('ui.delete')}
                  size={26}
                  isDisabled={removal.isBusy}
                  onClick={() => removal.start({ id, name: url })}
                >
                  <IconTrash size={15} stroke={1.7} />
                </IconButton>
              ) : null}
            </li>
          ))}
        </ul>
      ) : null}
      <RemovalDialogs removal={removal} object={t('integrations.alias')} />
    </Section>
  );
}
