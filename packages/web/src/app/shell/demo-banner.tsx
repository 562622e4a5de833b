import { IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { currentUserQuery, systemQuery } from '../../lib/session.ts';
import css from './shell.module.css';

/** Says in a demo why nothing that is not an administrator's can be changed, before somebody tries. */
export function DemoBanner() {
  const { data: user } = useQuery(currentUserQuery);
  const { data: system } = useQuery(systemQuery);
  if (system?.demo_mode !== true || user?.admin !== false) return null;
  return (
    <div className={css.demo} role="status">
      <IconFlask size={17} stroke={1.7} aria-hidden />
      {t('shell.demo')}
    </div>
  );
}
