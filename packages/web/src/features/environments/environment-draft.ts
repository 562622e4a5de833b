import {
  type Environment,
  EnvironmentInput,
  type EnvironmentSecret,
  type SecretOperation,
  type SecretType,
} from '@signalbox/contract/environments';
import { findProblems } from '../../lib/form-problems.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { draftFromText, readDraft, type VariablesDraft, type VariablesProblem } from './variables-draft.ts';

export type SecretDraft = {
  key: string;
  /** Of a stored secret; undefined for one that is new. */
  id: number | undefined;
  type: SecretType;
  name: string;
  value: string;
};
export type EnvironmentDraft = {
  name: string;
  variables: VariablesDraft;
  env: VariablesDraft;
  secrets: SecretDraft[];
};

const problemWords: Record<VariablesProblem, MessageKey> = {
  bad_json: 'environments.badJson',
  nested: 'environments.nested',
  name_missing: 'environments.nameMissing',
  name_twice: 'environments.nameTwice',
  not_text: 'environments.notText',
};

export function wordVariablesProblem(problem: VariablesProblem): string {
  return t(problemWords[problem]);
}

export function draftOf(environment: Environment | undefined): EnvironmentDraft {
  return {
    name: environment?.name ?? '',
    variables: draftFromText(environment?.json ?? '{}', 'values'),
    env: draftFromText(environment?.env ?? '{}', 'texts'),
    secrets: (environment?.secrets ?? []).map(({ id, type, name }) => ({
      key: `stored-${id}`,
      id,
      type,
      name,
      value: '',
    })),
  };
}

/** New secrets are created, removed ones deleted, the others updated: without a value they keep the stored one. */
export function listOperations(
  secrets: readonly SecretDraft[],
  stored: readonly EnvironmentSecret[],
): SecretOperation[] {
  const kept = new Set(secrets.map(({ id }) => id));
  const removed = stored.filter(({ id }) => !kept.has(id));
  return [
    // First, so that a name is free again for a new secret.
    ...removed.map(({ id, type, name }) => ({ id, type, name, secret: '', operation: 'delete' as const })),
    ...secrets.map(({ id, type, name, value }) => ({
      ...(id === undefined ? {} : { id }),
      type,
      name: name.trim(),
      secret: value,
      operation: id === undefined ? ('create' as const) : ('update' as const),
    })),
  ];
}

function textOf(outcome: { text: string } | VariablesProblem): string {
  return typeof outcome === 'string' ? '{}' : outcome.text;
}

export function toEnvironmentInput(draft: EnvironmentDraft, stored: readonly EnvironmentSecret[]): EnvironmentInput {
  return {
    name: draft.name.trim(),
    json: textOf(readDraft(draft.variables, 'values')),
    env: textOf(readDraft(draft.env, 'texts')),
    secrets: listOperations(draft.secrets, stored),
  };
}

/** Title of every field that the server may refuse, by its name on the wire. */
export function listTitles(): Record<string, string> {
  return {
    name: t('environments.name'),
    json: t('environments.variables'),
    env: t('environments.env'),
    secrets: t('environments.secretName'),
  };
}

/** Problems by field of the draft; those of one secret under `secrets`. */
export function findEnvironmentProblems(draft: EnvironmentDraft): Record<string, string> {
  const { json: _, env: __, ...problems } = findProblems(EnvironmentInput, toEnvironmentInput(draft, []), listTitles());
  const variables = readDraft(draft.variables, 'values');
  const env = readDraft(draft.env, 'texts');
  if (typeof variables === 'string') problems.variables = wordVariablesProblem(variables);
  if (typeof env === 'string') problems.env = wordVariablesProblem(env);
  const names = draft.secrets.map(({ type, name }) => `${type} ${name.trim()}`);
  if (new Set(names).size < names.length) problems.secrets ??= t('environments.secretTwice');
  if (draft.secrets.some(({ id, value }) => id === undefined && value === '')) {
    problems.secrets ??= t('field.required', { field: t('environments.secretValue') });
  }
  return problems;
}
