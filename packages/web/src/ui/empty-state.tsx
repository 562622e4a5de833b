import { IconInbox } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { MessagePanel } from './message-panel.tsx';

type EmptyStateProps = { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode };

/** Nothing here yet: what belongs here, and the button that makes the first one. */
export function EmptyState({ icon = <IconInbox size={19} stroke={1.6} />, ...rest }: EmptyStateProps) {
  return <MessagePanel icon={icon} {...rest} />;
}
