import { Link } from '@tanstack/react-router';
import { t } from '../lib/i18n.ts';
import css from './list-ends.module.css';

type ListEndsProps = {
  /** Where the list begins; undefined at the newest. */
  before: number | undefined;
  /** Id of the last one of the list, where there may be older ones. */
  last: number | undefined;
};

type Search = Record<string, unknown>;

/** Leads from a part of a long list to what is older, and back to the newest. */
export function ListEnds({ before, last }: ListEndsProps) {
  if (before === undefined && last === undefined) return null;
  return (
    <nav className={css.ends} aria-label={t('ui.listEnds')}>
      {before !== undefined && (
        <Link to="." search={(search: Search) => ({ ...search, before: undefined, page: undefined })}>
          {t('ui.newest')}
        </Link>
      )}
      {last !== undefined && (
        <Link to="." search={(search: Search) => ({ ...search, before: last, page: undefined })}>
          {t('ui.older')}
        </Link>
      )}
    </nav>
  );
}
