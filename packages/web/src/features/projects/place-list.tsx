import type { FieldProblem } from '@signalbox/contract/errors';
import css from './projects.module.css';

/** Places in a backup file with what is to say about them. */
export function PlaceList({ places }: { places: readonly FieldProblem[] }) {
  return (
    <ul className={css.places}>
      {places.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}
