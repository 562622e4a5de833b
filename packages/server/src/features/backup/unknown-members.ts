import { BackupFile } from '@signalbox/contract/backup';
import type { FieldProblem } from '@signalbox/contract/errors';
import type * as z from 'zod/mini';

/** A file of something else is not told member by member. */
const most = 1000;

/** Members of a file that nobody here knows, where they say something. */
export function listUnknownMembers(file: BackupFile): FieldProblem[] {
  const found: FieldProblem[] = [];
  visit(BackupFile, file, [], found);
  if (found.length <= most) return found;
  return [...found.slice(0, most), { path: '', message: `has ${found.length - most} more members that are not known` }];
}

function visit(schema: z.core.$ZodType, value: unknown, path: readonly string[], found: FieldProblem[]): void {
  if (typeof value !== 'object' || value === null) return;
  const known = unwrap(schema);
  if (known.def.type === 'array') {
    const { element } = known.def;
    for (const [at, item] of Object.entries(value)) visit(element, item, [...path, at], found);
    return;
  }
  if (known.def.type !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    const inner = Object.hasOwn(known.def.shape, name) ? known.def.shape[name] : undefined;
    if (inner !== undefined) visit(inner, member, [...path, name], found);
    else if (saysSomething(member)) found.push({ path: [...path, name].join('.'), message: 'is not known here' });
  }
}

type Known = {
  def: z.core.$ZodTypeDef &
    ({ type: 'array'; element: z.core.$ZodType } | { type: 'object'; shape: Shape } | { type: 'other' });
};
type Shape = Readonly<Record<string, z.core.$ZodType>>;

/** Without the wrappers that let a member be left out. */
function unwrap(schema: z.core.$ZodType): Known {
  let inner = schema;
  while ('innerType' in inner._zod.def) inner = inner._zod.def.innerType as z.core.$ZodType;
  return { def: inner._zod.def } as Known;
}

/** Exports write every member that a version knows, also where it is empty. */
function saysSomething(value: unknown): boolean {
  if (value === null || value === '' || value === false || value === 0) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
