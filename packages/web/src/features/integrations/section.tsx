import { type ReactNode, useId } from 'react';
import css from './integrations.module.css';

type SectionProps = { title: string; hint?: string; action?: ReactNode; children: ReactNode };

/** A part of a page under a heading of its own. */
export function Section({ title, hint, action, children }: SectionProps) {
  const id = useId();
  return (
    <section className={css.section} aria-labelledby={id}>
      <header className={css.sectionHead}>
        <div>
          <h2 id={id} className={css.sectionTitle}>
            {title}
          </h2>
          {hint === undefined ? null : <p className={css.hint}>{hint}</p>}
        </div>
        {action}
      </header>
      {children}
    </section>
  );
}
