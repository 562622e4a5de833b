import type { ReactNode } from 'react';
import css from './form.module.css';

type FormSectionProps = {
  title: string;
  hint?: string;
  /** One thing below the other instead of two columns. */
  isStacked?: boolean;
  children: ReactNode;
};

/** A part of a long form, with what it is about at its side. */
export function FormSection({ title, hint, isStacked = false, children }: FormSectionProps) {
  return (
    <section className={css.section} aria-label={title}>
      <div className={css.about}>
        <h2>{title}</h2>
        {hint === undefined ? null : <p>{hint}</p>}
      </div>
      <div className={css.fields} data-stacked={isStacked || undefined}>
        {children}
      </div>
    </section>
  );
}
