import type { FieldProblem } from '@signalbox/contract/errors';
import * as z from 'zod/mini';
import { AppError } from '../errors.ts';

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

type Issue = z.core.$ZodIssue;

function describeIssue(issue: Issue): FieldProblem {
  return { path: issue.path.map(String).join('.'), message: describeRule(issue) };
}

/** Words for the checks that have no message of their own in the contract. */
function describeRule(issue: Issue): string {
  if (issue.input === undefined && issue.code !== 'custom') return 'is required';
  const own = issue.message !== 'Invalid input';
  switch (issue.code) {
    case 'invalid_type':
      return own ? issue.message : `must be ${article(issue.expected)}`;
    case 'too_big':
      return own ? issue.message : `must be at most ${issue.maximum}${unit(issue.origin)}`;
    case 'too_small':
      return own ? issue.message : `must be at least ${issue.minimum}${unit(issue.origin)}`;
    case 'invalid_value':
      return own ? issue.message : `must be one of: ${issue.values.map((value) => `"${String(value)}"`).join(', ')}`;
    default:
      return own ? issue.message : 'has a wrong value';
  }
}

function unit(origin: string): string {
  return origin === 'string' ? ' characters long' : origin === 'array' ? ' items long' : '';
}

function article(type: string): string {
  return type === 'int' ? 'a whole number' : /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}
