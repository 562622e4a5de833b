import { Fragment, type ReactNode } from 'react';
import css from './key-value-card.module.css';

export type KeyValue = { label: string; value: ReactNode; mono?: boolean };

/** Facts about one thing: who, what, when. A fact whose value is null is left out. */
export function KeyValueCard({ title, facts }: { title?: string; facts: KeyValue[] }) {
  return (
    <section className={css.card} aria-label={title}>
      {title === undefined ? null : <h2 className={css.title}>{title}</h2>}
      <dl className={css.list}>
        {facts
          .filter(({ value }) => value !== null && value !== undefined && value !== '')
          .map(({ label, value, mono }) => (
            <Fragment key={label}>
              <dt>{label}</dt>
              <dd data-mono={mono || undefined}>{value}</dd>
            </Fragment>
          ))}
      </dl>
    </section>
  );
}
