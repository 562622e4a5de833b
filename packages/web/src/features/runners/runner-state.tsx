import type { Runner } from '@signalbox/contract/runners';
import { IconCircleCheck, IconCircleDashed, IconPlugConnectedX } from '@tabler/icons-react';
import { type MessageKey, t } from '../../lib/i18n.ts';
import css from './runners.module.css';

type Look = { label: MessageKey; icon: typeof IconCircleCheck; colour: string };

/** Whether a runner is there: it speaks, it has spoken, or it never did. */
function chooseLook({ online, last_seen: lastSeen }: Pick<Runner, 'online' | 'last_seen'>): Look {
  if (online) return { label: 'runners.online', icon: IconCircleCheck, colour: 'success' };
  if (lastSeen === null) return { label: 'runners.neverSeen', icon: IconCircleDashed, colour: 'waiting' };
  return { label: 'runners.offline', icon: IconPlugConnectedX, colour: 'failed' };
}

export function RunnerState({ runner }: { runner: Runner }) {
  const { label, icon: Icon, colour } = chooseLook(runner);
  return (
    <span className={css.state} data-colour={colour}>
      <Icon size={15} stroke={1.8} aria-hidden />
      {t(label)}
    </span>
  );
}
