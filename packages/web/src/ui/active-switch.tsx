import { Switch, Tooltip } from '@mantine/core';
import { t } from '../lib/i18n.ts';

type ActiveSwitchProps = {
  /** Name of the row's object. */
  name: string;
  isActive: boolean;
  /** Why it cannot be switched; undefined when it can. */
  reason?: string | undefined;
  onChange: (active: boolean) => void;
};

/** Switches the thing of a row on or off, at once. */
export function ActiveSwitch({ name, isActive, reason, onChange }: ActiveSwitchProps) {
  return (
    <Tooltip label={reason} disabled={reason === undefined} multiline maw={280}>
      {/* A disabled field tells no pointer events, so the tooltip hangs on what is around it. */}
      <span>
        <Switch
          checked={isActive}
          disabled={reason !== undefined}
          // The field that is not seen would take a place of its own in the line.
          styles={{ input: { position: 'absolute' } }}
          aria-label={t('ui.activeNamed', { name })}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </span>
    </Tooltip>
  );
}
