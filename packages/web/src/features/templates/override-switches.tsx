import { Switch } from '@mantine/core';
import { t } from '../../lib/i18n.ts';
import css from './form.module.css';
import type { TemplateDraft } from './template-draft.ts';

type Allow = TemplateDraft['allow'];

const switches = [
  { member: 'arguments', title: 'templates.allowArguments', isAnsibleOnly: false },
  { member: 'inventory', title: 'templates.allowInventory', isAnsibleOnly: false },
  { member: 'limit', title: 'templates.allowLimit', isAnsibleOnly: true },
  { member: 'tags', title: 'templates.allowTags', isAnsibleOnly: true },
  { member: 'skipTags', title: 'templates.allowSkipTags', isAnsibleOnly: true },
  { member: 'debug', title: 'templates.allowDebug', isAnsibleOnly: true },
] as const;

type OverrideSwitchesProps = { value: Allow; isAnsible: boolean; onChange: (value: Allow) => void };

/** What whoever may only run tasks may set at launch. */
export function OverrideSwitches({ value, isAnsible, onChange }: OverrideSwitchesProps) {
  return (
    <div className={css.switches}>
      {switches
        .filter(({ isAnsibleOnly }) => isAnsible || !isAnsibleOnly)
        .map(({ member, title }) => (
          <Switch
            key={member}
            label={t(title)}
            checked={value[member]}
            onChange={(event) => onChange({ ...value, [member]: event.currentTarget.checked })}
          />
        ))}
    </div>
  );
}
