import type { FieldProblem } from '@signalbox/contract/errors';
import type { SurveyVariable } from '@signalbox/contract/templates';
import { AppError } from '../errors.ts';

/** Variables given at launch: what every member may read later, and what nobody may. */
export type Answers = { readonly plain: Record<string, unknown>; readonly secret: Record<string, string> };

/**
 * Checks what was given at launch against the survey of the template. The answer to a secret question counts as secret
 * wherever it was given, so that it is never stored readable. Optional questions that were left empty are no answers,
 * but for plain texts, where empty is a value.
 *
 * @param allowsOthers whether names outside the survey may be given
 * @throws AppError with every answer that is wrong
 */
export function checkAnswers(survey: readonly SurveyVariable[], given: Answers, allowsOthers: boolean): Answers {
  const problems: FieldProblem[] = [];
  const plain: Record<string, unknown> = { ...given.plain };
  const secret: Record<string, string> = { ...given.secret };
  for (const variable of survey) {
    const problem = readAnswer(variable, plain, secret);
    if (problem !== undefined) problems.push({ path: `environment.${variable.name}`, message: problem });
  }
  if (!allowsOthers) problems.push(...findOthers(survey, given));
  const [first] = problems;
  if (first !== undefined) throw new AppError('invalid', first.message, problems);
  return { plain, secret };
}

/** Moves or drops the answer to one question. @returns what is wrong with it */
function readAnswer(
  variable: SurveyVariable,
  plain: Record<string, unknown>,
  secret: Record<string, string>,
): string | undefined {
  const { name, type } = variable;
  if (type === 'secret' && Object.hasOwn(plain, name)) {
    secret[name] ??= toText(plain[name]);
    delete plain[name];
  }
  const isSecret = Object.hasOwn(secret, name);
  const answer = isSecret ? secret[name] : plain[name];
  if (answer === undefined || answer === null || answer === '') {
    if (variable.required) return `${variable.title} is required`;
    if (type !== '' || answer === null) dropAnswer(name, plain, secret);
    return undefined;
  }
  return isSecret && type === 'secret' ? undefined : describeProblem(variable, answer);
}

function dropAnswer(name: string, plain: Record<string, unknown>, secret: Record<string, string>): void {
  delete plain[name];
  delete secret[name];
}

function describeProblem(variable: SurveyVariable, answer: unknown): string | undefined {
  if (typeof answer !== 'string' && typeof answer !== 'number' && typeof answer !== 'boolean') {
    return `${variable.title} must be a text`;
  }
  const text = String(answer);
  if (variable.type === 'int') return /^\d+$/.test(text) ? undefined : `${variable.title}: Must be an integer`;
  if (variable.type !== 'enum') return undefined;
  return variable.values.some((value) => value.value === text)
    ? undefined
    : `${variable.title} must be one of its values`;
}

function findOthers(survey: readonly SurveyVariable[], given: Answers): FieldProblem[] {
  const known = new Set(survey.map((variable) => variable.name));
  const refuse = (member: string) => (name: string) => ({
    path: `${member}.${name}`,
    message: `"${name}" is no question of this template; other variables need the right to manage resources`,
  });
  const isOther = (name: string) => !known.has(name);
  return [
    ...Object.keys(given.plain).filter(isOther).map(refuse('environment')),
    ...Object.keys(given.secret).filter(isOther).map(refuse('secret')),
  ];
}

/** What a tool gets for a value that is no text. */
export function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
