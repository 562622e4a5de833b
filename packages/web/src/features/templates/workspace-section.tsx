import type { ReactNode } from 'react';
import css from './workspaces.module.css';

type WorkspaceSectionProps = { title: string; hint?: ReactNode; actions?: ReactNode; children: ReactNode };

/** A part of the page about workspaces, with its own buttons. */
export function WorkspaceSection({ title, hint, actions, children }: WorkspaceSectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      <header className={css.head}>
        <div className={css.heading}>
          <h2 className={css.title}>{title}</h2>
          {hint === undefined ? null : <p className={css.hint}>{hint}</p>}
        </div>
        {actions === undefined ? null : <div className={css.actions}>{actions}</div>}
      </header>
      {children}
    </section>
  );
}
