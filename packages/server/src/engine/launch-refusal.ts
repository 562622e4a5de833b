import { FieldProblem } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import type { AppError } from '../errors.ts';

/** Why a trigger started no task, in a sentence for a person, with the variables that it is about. */
export function describeRefusal({ message, details }: AppError): string {
  const problems = z.safeParse(z.array(FieldProblem), details);
  const names = (problems.data ?? []).flatMap(({ path }) => /^environment\.(.+)$/.exec(path)?.[1] ?? []);
  return names.length === 0 ? message : `${message} (${names.join(', ')})`;
}
