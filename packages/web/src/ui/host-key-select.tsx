import { Select } from '@mantine/core';
import { type HostKeyPolicy, hostKeyPolicies } from '@signalbox/contract/host-keys';
import type { MessageKey } from '../lib/i18n.ts';
import { t } from '../lib/i18n.ts';

const names: Record<HostKeyPolicy, MessageKey> = {
  'accept-new': 'ui.hostKeysAcceptNew',
  strict: 'ui.hostKeysStrict',
  off: 'ui.hostKeysOff',
};
const hints: Record<HostKeyPolicy, MessageKey> = {
  'accept-new': 'ui.hostKeysAcceptNewHint',
  strict: 'ui.hostKeysStrictHint',
  off: 'ui.hostKeysOffHint',
};

type HostKeySelectProps = { value: HostKeyPolicy; onChange: (policy: HostKeyPolicy) => void };

/** How a runner checks the ssh keys of the hosts that it reaches. */
export function HostKeySelect({ value, onChange }: HostKeySelectProps) {
  return (
    <Select
      label={t('ui.hostKeys')}
      description={t(hints[value])}
      allowDeselect={false}
      data={hostKeyPolicies.map((policy) => ({ value: policy, label: t(names[policy]) }))}
      value={value}
      onChange={(policy) => onChange(hostKeyPolicies.find((each) => each === policy) ?? 'accept-new')}
    />
  );
}
