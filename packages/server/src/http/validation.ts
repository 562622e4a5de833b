import type { FieldProblem } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';
import { describeIssue } from '../input-problems.ts';

/** Parses what came in; throws `invalid` with every field that is wrong. */
export function parseInput<S extends z.ZodMiniType>(schema: S, value: unknown): z.output<S> {
  const result = z.safeParse(schema, value, { reportInput: true });
  if (result.success) return result.data;
  const problems = result.error.issues.map(describeIssue);
  throw new AppError('invalid', describeProblem(problems[0]), problems);
}

function describeProblem(problem: FieldProblem | undefined): string {
  if (problem === undefined) return 'The request is not valid';
  // A message that begins with a capital letter is a sentence of its own.
  if (/^[A-Z]/.test(problem.message)) return problem.message;
  return `${problem.path === '' ? 'The body' : problem.path} ${problem.message}`;
}
