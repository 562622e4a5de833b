import type { ReactNode } from 'react';
import css from './message-panel.module.css';

type MessagePanelProps = {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  role?: 'alert' | 'status';
};

/** The middle of an otherwise empty place: what is the case, and what to do next. */
export function MessagePanel({ icon, title, children, action, role }: MessagePanelProps) {
  return (
    <div className={css.panel} role={role}>
      <span className={css.icon} aria-hidden>
        {icon}
      </span>
      <h2 className={css.title}>{title}</h2>
      {children === undefined ? null : <p className={css.text}>{children}</p>}
      {action === undefined ? null : <div className={css.action}>{action}</div>}
    </div>
  );
}
