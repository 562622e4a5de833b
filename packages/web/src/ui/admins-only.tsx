import { IconLock } from '@tabler/icons-react';
import { t } from '../lib/i18n.ts';
import { MessagePanel } from './message-panel.tsx';

/** In place of a screen that is for administrators. */
export function AdminsOnly() {
  return (
    <MessagePanel icon={<IconLock size={19} stroke={1.6} />} title={t('ui.adminsOnly')}>
      {t('ui.adminsOnlyText')}
    </MessagePanel>
  );
}
