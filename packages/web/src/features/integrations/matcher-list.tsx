import type { Matcher } from '@signalbox/contract/integration-matchers';
import { IconFilter } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/data-table.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import css from './integrations.module.css';
import { MatcherFormDialog } from './matcher-form-dialog.tsx';
import { methodNames, sourceNames } from './part-drafts.ts';
import { PartList } from './part-list.tsx';
import { type IntegrationPlace, matchersQuery, useMatcherRemoval, useSaveMatcher } from './parts-data.ts';

/** The conditions on a call; all of them must hold. */
export function MatcherList({ place, canEdit }: { place: IntegrationPlace; canEdit: boolean }) {
  const matchers = useQuery(matchersQuery(place));
  const save = useSaveMatcher(place);
  const removal = useMatcherRemoval(place, ({ name }) => showSuccess(t('integrations.matcherDeleted', { name })));
  return (
    <PartList
      kind="matcher"
      title={t('integrations.matchers')}
      hint={t('integrations.matchersHint')}
      addLabel={t('integrations.addMatcher')}
      none={t('integrations.noMatchers')}
      object={t('integrations.matcher')}
      icon={<IconFilter size={14} stroke={1.7} />}
      columns={listColumns()}
      parts={matchers}
      save={save}
      removal={removal}
      Form={MatcherFormDialog}
      canEdit={canEdit}
    />
  );
}

function listColumns(): Column<Matcher>[] {
  return [
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
