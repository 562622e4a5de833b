import type { FieldProblem } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import { describeIssue } from '../../input-problems.ts';
import type { Placed } from './file-lists.ts';

/** The names of a list, and the place of each, counted from 1: what stands for an id until there is one. */
type Local = { readonly kind: string; readonly places: ReadonlyMap<string, number> };
export type LocalNames = Readonly<
  Record<'view' | 'key' | 'environment' | 'repository' | 'inventory' | 'template' | 'integration', Local>
>;
/** What is wrong with a file, under the paths of the file. */
export type Problems = FieldProblem[];

/** Stands where a name was not found: the file is refused then, so nobody sees it. */
const nowhere = 1;

/** Names are unique in a list: they are what the others refer by. */
export function listNames(problems: Problems, kind: string, names: readonly Placed<string>[]): Local {
  const places = new Map<string, number>();
  for (const [at, { path, item }] of names.entries()) {
    const name = item.trim();
    if (places.has(name)) problems.push({ path, message: `has the name of another ${kind}: "${name}"` });
    else places.set(name, at + 1);
  }
  return { kind, places };
}

/** The place of what a member names; null where it names nothing. */
export function findPlace(
  problems: Problems,
  { kind, places }: Local,
  name: string | null | undefined,
  path: string,
): number | null {
  if (name === null || name === undefined || name === '') return null;
  const place = places.get(name.trim());
  if (place === undefined) problems.push({ path, message: `names no ${kind} of the file: "${name}"` });
  return place ?? nowhere;
}

/** By the rules of the form for such an object; ids there are names here. */
export function parseItem<S extends z.ZodMiniType>(
  problems: Problems,
  schema: S,
  path: string,
  value: unknown,
): z.output<S> | undefined {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  for (const issue of result.error.issues) {
    const { path: field, message } = describeIssue(issue);
    const member = field.replace(/_id(?=\.|$)/g, '');
    // What was made of one member has no members of its own.
    const isWhole = member === '' || path.endsWith('.cron');
    problems.push({ path: isWhole ? path : `${path}.${member}`, message });
  }
  return undefined;
}

/** What is wrong is missing in the result: that is not looked at when there are problems. */
export function parseList<S extends z.ZodMiniType, T>(
  problems: Problems,
  schema: S,
  items: readonly Placed<T>[],
  describe: (placed: Placed<T>) => unknown,
): z.output<S>[] {
  return items.flatMap((placed) => {
    const parsed = parseItem(problems, schema, placed.path, describe(placed));
    return parsed === undefined ? [] : [parsed];
  });
}
