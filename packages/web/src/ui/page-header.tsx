import type { ReactNode } from 'react';
import css from './page-header.module.css';

type PageHeaderProps = {
  /** Stands before the title: the way back. */
  before?: ReactNode;
  title: ReactNode;
  /** Muted text or a badge right after the title. */
  beside?: ReactNode;
  /** Buttons, the primary one last. */
  actions?: ReactNode;
};

export function PageHeader({ before, title, beside, actions }: PageHeaderProps) {
  return (
    <header className={css.header}>
      <div className={css.heading}>
        {before}
        <h1 className={css.title}>{title}</h1>
        {beside}
      </div>
      {actions === undefined ? null : <div className={css.actions}>{actions}</div>}
    </header>
  );
}
