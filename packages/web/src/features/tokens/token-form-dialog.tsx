import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import { readServerProblems } from '../../lib/form-problems.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { TokenWish } from './data.ts';
import { isDayAhead, readExpiry, type TokenLife } from './token-expiry.ts';

const lives: [life: TokenLife, label: MessageKey][] = [
  ['7', 'tokens.days7'],
  ['30', 'tokens.days30'],
  ['90', 'tokens.days90'],
  ['365', 'tokens.days365'],
  ['date', 'tokens.onDate'],
  ['never', 'tokens.never'],
];

type TokenFormDialogProps = {
  isBusy: boolean;
  error: unknown;
  onSubmit: (wish: TokenWish) => void;
  onClose: () => void;
};

export function TokenFormDialog({ isBusy, error, onSubmit, onClose }: TokenFormDialogProps) {
  const [name, setName] = useState('');
  const [life, setLife] = useState<TokenLife>('90');
  const [date, setDate] = useState('');
  const [problems, setProblems] = useState<{ name?: string; date?: string }>({});
  const titles = { name: t('tokens.name'), expires: t('tokens.expires') };
  const refusal = error === null ? undefined : readServerProblems(error, titles);
  const handleSubmit = (): void => {
    const now = Date.now();
    const found = {
      ...(name.trim() === '' ? { name: t('field.required', { field: titles.name }) } : {}),
      ...(life === 'date' && !isDayAhead(date, now) ? { date: t('tokens.dateAhead') } : {}),
    };
    setProblems(found);
    if (Object.keys(found).length === 0) onSubmit({ name: name.trim(), expires: readExpiry(life, date, now) });
  };
  return (
    <FormDialog
      isOpen
      title={t('tokens.new')}
      subtitle={t('tokens.newHint')}
      submitLabel={t('ui.create')}
      onSubmit={handleSubmit}
      onClose={onClose}
      isBusy={isBusy}
      isDirty={name !== ''}
      error={refusal?.banner}
    >
      <TextInput
        label={titles.name}
        description={t('tokens.nameHint')}
        withAsterisk
        data-autofocus
        value={name}
        error={problems.name ?? refusal?.fields.name}
        onChange={(event) => {
          setName(event.currentTarget.value);
          setProblems({});
        }}
      />
      <Select
        label={titles.expires}
        data={lives.map(([value, label]) => ({ value, label: t(label) }))}
        value={life}
        error={refusal?.fields.expires}
        onChange={(value) => setLife(lives.find(([known]) => known === value)?.[0] ?? '90')}
      />
      {life === 'date' ? (
        <TextInput
          type="date"
          label={t('tokens.lastDay')}
          withAsterisk
          value={date}
          error={problems.date}
          onChange={(event) => {
            setDate(event.currentTarget.value);
            setProblems({});
          }}
        />
      ) : null}
    </FormDialog>
  );
}
