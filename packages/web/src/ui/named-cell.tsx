import type { ReactNode } from 'react';
import css from './named-cell.module.css';

/** First cell of a row: icon, name, and what is said right beside the name. */
export function NamedCell({ icon, children, beside }: { icon: ReactNode; children: ReactNode; beside?: ReactNode }) {
  return (
    <span className={css.cell}>
      <span className={css.icon} aria-hidden>
        {icon}
      </span>
      <span className={css.name}>{children}</span>
      {beside}
    </span>
  );
}
