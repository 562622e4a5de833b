import type { ExtractedValue } from '@signalbox/contract/integration-values';
import { IconVariable } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import type { Column } from '../../ui/data-table.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import css from './integrations.module.css';
import { sourceNames } from './part-drafts.ts';
import { PartList } from './part-list.tsx';
import { type IntegrationPlace, useSaveValue, useValueRemoval, valuesQuery } from './parts-data.ts';
import { ValueFormDialog } from './value-form-dialog.tsx';

/** The texts of a call that become variables of its task. */
export function ValueList({ place, canEdit }: { place: IntegrationPlace; canEdit: boolean }) {
  const values = useQuery(valuesQuery(place));
  const save = useSaveValue(place);
  const removal = useValueRemoval(place, ({ name }) => showSuccess(t('integrations.valueDeleted', { name })));
  return (
    <PartList
      kind="value"
      title={t('integrations.values')}
      hint={t('integrations.valuesHint')}
      addLabel={t('integrations.addValue')}
      none={t('integrations.noValues')}
      object={t('integrations.valueObject')}
      icon={<IconVariable size={14} stroke={1.7} />}
      columns={listColumns()}
      parts={values}
      save={save}
      removal={removal}
      Form={ValueFormDialog}
      canEdit={canEdit}
    />
  );
}

function listColumns(): Column<ExtractedValue>[] {
  return [
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
