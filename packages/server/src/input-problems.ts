import type { FieldProblem } from '@signalbox/contract/errors';
import type * as z from 'zod/mini';

type Issue = z.core.$ZodIssue;

/** What is wrong with a value, in words, and where. */
export function describeIssue(issue: Issue): FieldProblem {
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
