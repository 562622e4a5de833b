import type { ReactNode } from 'react';
import css from './tag.module.css';

/** A small word beside a name: a kind, a hint. `warning` for what needs attention. */
export function Tag({ children, tone }: { children: ReactNode; tone?: 'warning' }) {
  return (
    <span className={css.tag} data-tone={tone}>
      {children}
    </span>
  );
}
