import { Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { Inventory } from '@signalbox/contract/inventories';
import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { ArgumentsPicker } from '../../ui/arguments-picker.tsx';
import options from '../../ui/task-options.module.css';
import { paramTitles } from '../../ui/task-params.ts';
import css from './launch.module.css';
import type { LaunchDraft, Offer } from './launch-draft.ts';

type LaunchOptionsProps = {
  app: string;
  offer: Offer;
  draft: LaunchDraft;
  errors: Record<string, string>;
  inventories: readonly Inventory[];
  onChange: (change: Partial<LaunchDraft>) => void;
};

/** What may be set at launch besides the survey: lists, a commit behind one click, and switches in a row. */
export function LaunchOptions(props: LaunchOptionsProps) {
  const { app, offer, draft, errors, onChange } = props;
  return (
    <>
      <InventoryField {...props} />
      {lists
        .filter(({ member }) => offer[member])
        .map(({ member, name }) => (
          <TagsInput
            key={member}
            label={t(paramTitles[name])}
            description={member === 'limit' ? t('launch.limitHint') : undefined}
            value={draft[member]}
            error={errors[`params.${name}`]}
            splitChars={[',', ' ']}
            acceptValueOnBlur
            onChange={(value) => onChange({ [member]: value })}
          />
        ))}
      {offer.arguments ? (
        <ArgumentsPicker
          app={app}
          label={t('tasks.arguments')}
          value={draft.arguments}
          error={errors.arguments}
          onChange={(next) => onChange({ arguments: next })}
        />
      ) : null}
      <Commit draft={draft} error={errors.commit_hash} onChange={onChange} />
      <Switches {...props} />
    </>
  );
}

const lists = [
  { member: 'limit', name: 'limit' },
  { member: 'tags', name: 'tags' },
  { member: 'skipTags', name: 'skip_tags' },
] as const;

function InventoryField({ offer, draft, errors, inventories, onChange }: LaunchOptionsProps) {
  if (!offer.inventory) return null;
  return (
    <Select
      label={t('tasks.inventory')}
      data={inventories.map(({ id, name }) => ({ value: String(id), label: name }))}
      value={draft.inventoryId}
      error={errors.inventory_id}
      searchable={inventories.length > 8}
      onChange={(inventoryId) => onChange({ inventoryId })}
    />
  );
}

const switches = [
  { member: 'debug', name: 'debug', offeredBy: 'debug' },
  { member: 'dryRun', name: 'dry_run', offeredBy: 'check' },
  { member: 'diff', name: 'diff', offeredBy: 'check' },
  { member: 'plan', name: 'plan', offeredBy: 'plan' },
  { member: 'destroy', name: 'destroy', offeredBy: 'plan' },
  { member: 'autoApprove', name: 'auto_approve', offeredBy: 'plan' },
  { member: 'upgrade', name: 'upgrade', offeredBy: 'init' },
  { member: 'reconfigure', name: 'reconfigure', offeredBy: 'init' },
] as const;

function Switches({ offer, draft, onChange }: LaunchOptionsProps) {
  const offered = switches.filter(({ offeredBy }) => offer[offeredBy]);
  if (offered.length === 0) return null;
  const warning = findWarning(draft, offer);
  return (
    <>
      <div className={options.switches}>
        {offered.map(({ member, name }) => (
          <Switch
            key={member}
            label={t(paramTitles[name])}
            checked={draft[member]}
            onChange={(event) => onChange({ [member]: event.currentTarget.checked })}
          />
        ))}
      </div>
      {warning === undefined ? null : (
        <p className={css.warning} role="status">
          {warning}
        </p>
      )}
    </>
  );
}

/** What switches mean together, where that cannot be taken back. */
function findWarning({ plan, destroy, autoApprove }: LaunchDraft, offer: Offer): string | undefined {
  if (!offer.plan || plan || !autoApprove) return undefined;
  return t(destroy ? 'launch.destroysAtOnce' : 'launch.appliesAtOnce');
}

type CommitProps = {
  draft: LaunchDraft;
  error: string | undefined;
  onChange: (change: Partial<LaunchDraft>) => void;
};

/** Hardly anybody runs another commit than the newest, so the field comes when it is asked for. */
function Commit({ draft, error, onChange }: CommitProps) {
  const [isOpen, setOpen] = useState(false);
  if (!isOpen && draft.commitHash === '') {
    return (
      <button type="button" className={options.more} onClick={() => setOpen(true)}>
        <IconChevronRight size={15} stroke={1.8} aria-hidden />
        {t('launch.otherCommit')}
      </button>
    );
  }
  return (
    <TextInput
      label={t('launch.commit')}
      description={t('launch.commitHint')}
      value={draft.commitHash}
      error={error}
      data-autofocus
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className={css.mono}
      onChange={(event) => onChange({ commitHash: event.currentTarget.value })}
    />
  );
}
