import { useEffect } from 'react';
import { type FieldTitles, readServerProblems } from './form-problems.ts';

/**
 * Puts what the server refused where it belongs: sentences under their fields through `setErrors`, and the rest as the
 * returned words for the form's banner. `error` is null while nothing is refused.
 */
export function useRefusal(
  error: unknown,
  titles: FieldTitles,
  setErrors: (problems: Record<string, string>) => void,
): string | undefined {
  const refusal = error === null || error === undefined ? undefined : readServerProblems(error, titles);
  const fields = refusal === undefined ? '' : JSON.stringify(refusal.fields);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form's setter may be a new function at every drawing
  useEffect(() => {
    if (fields !== '') setErrors(JSON.parse(fields));
  }, [error, fields]);
  return refusal?.banner;
}
