import type { KeyType } from '@signalbox/contract/keys';
import { IconCircleDashed, IconKey, IconLock } from '@tabler/icons-react';
import type { MessageKey } from '../../lib/i18n.ts';

/** Each type by its word and its picture. */
export const keyTypes: Record<KeyType, { title: MessageKey; icon: typeof IconKey }> = {
  ssh: { title: 'keys.ssh', icon: IconKey },
  login_password: { title: 'keys.loginPassword', icon: IconLock },
  none: { title: 'keys.none', icon: IconCircleDashed },
};
