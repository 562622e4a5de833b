import css from './dash.module.css';

/** Stands where a table has nothing to say. Lists below 960 px leave such a line out. */
export function Dash() {
  return <span className={css.dash}>—</span>;
}
