import { Select, TextInput } from '@mantine/core';
import type { BodyFormat, Source } from '@signalbox/contract/integration-matchers';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import { formatNames, hasKey, type PlaceDraft, sourceNames } from './part-drafts.ts';

type PlaceFieldsProps = {
  sourceTitle: string;
  value: PlaceDraft;
  errors: { source: ReactNode; format: ReactNode; key: ReactNode };
  /** A matcher has a key for every source. */
  alwaysHasKey: boolean;
  onChange: (change: Partial<PlaceDraft>) => void;
};

/** Where a text of a call is taken from: a header, a part of a JSON body, or the body as it is. */
export function PlaceFields({ sourceTitle, value, errors, alwaysHasKey, onChange }: PlaceFieldsProps) {
  const { source, format, key } = value;
  return (
    <>
      <Select
        label={sourceTitle}
        withAsterisk
        placeholder={t('integrations.choose')}
        data={Object.entries(sourceNames).map(([name, title]) => ({ value: name, label: t(title) }))}
        value={source}
        error={errors.source}
        onChange={(next) => onChange({ source: next as Source | null })}
      />
      {source === 'body' ? (
        <Select
          label={t('integrations.format')}
          withAsterisk
          placeholder={t('integrations.choose')}
          data={Object.entries(formatNames).map(([name, title]) => ({ value: name, label: t(title) }))}
          value={format}
          error={errors.format}
          onChange={(next) => onChange({ format: next as BodyFormat | null })}
        />
      ) : null}
      {alwaysHasKey || hasKey(value) ? (
        <TextInput
          label={t('integrations.key')}
          withAsterisk
          description={describeKey(value)}
          value={key}
          error={errors.key}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => onChange({ key: event.currentTarget.value })}
        />
      ) : null}
    </>
  );
}

function describeKey({ source, format }: PlaceDraft): string | undefined {
  if (source === 'header') return t('integrations.keyHeaderHint');
  return source === 'body' && format === 'json' ? t('integrations.keyJsonHint') : undefined;
}
