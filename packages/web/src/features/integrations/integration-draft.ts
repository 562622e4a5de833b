import { type AuthMethod, type Integration, IntegrationInput } from '@signalbox/contract/integrations';
import type { TaskParams } from '@signalbox/contract/tasks';
import { findProblems } from '../../lib/form-problems.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { keepSetParams } from '../../ui/task-params.ts';

/** What the form holds; ids are texts, and no authentication has a word, as lists of choices want them. */
export type IntegrationDraft = {
  name: string;
  template_id: string | null;
  auth_method: Exclude<AuthMethod, ''> | 'none';
  auth_header: string;
  auth_secret_id: string | null;
  params: TaskParams;
};

export const authMethodNames: Record<IntegrationDraft['auth_method'], MessageKey> = {
  none: 'integrations.authNone',
  github: 'integrations.authGithub',
  token: 'integrations.authToken',
  hmac: 'integrations.authHmac',
};

/** The header that carries the token or the signature; GitHub's is always the same. */
export function hasHeader({ auth_method: method }: Pick<IntegrationDraft, 'auth_method'>): boolean {
  return method === 'token' || method === 'hmac';
}

export function draftOf(integration: Integration | undefined): IntegrationDraft {
  const toText = (id: number | null | undefined): string | null => (id ? String(id) : null);
  return {
    name: integration?.name ?? '',
    template_id: toText(integration?.template_id),
    auth_method: integration?.auth_method || 'none',
    auth_header: integration?.auth_header ?? '',
    auth_secret_id: toText(integration?.auth_secret_id),
    params: integration?.task_params ?? {},
  };
}

/** @param app of the template: options that another app has are left behind */
export function toIntegrationInput(
  draft: IntegrationDraft,
  app: string,
  stored: Integration | undefined,
): IntegrationInput {
  const isOpen = draft.auth_method === 'none';
  return {
    name: draft.name.trim(),
    template_id: draft.template_id === null ? 0 : Number(draft.template_id),
    auth_method: draft.auth_method === 'none' ? '' : draft.auth_method,
    auth_header: hasHeader(draft) ? draft.auth_header.trim() : '',
    auth_secret_id: isOpen || draft.auth_secret_id === null ? null : Number(draft.auth_secret_id),
    searchable: stored?.searchable ?? false,
    task_params: keepSetParams(app, draft.params),
  };
}

/** Title of every field that can be refused, by its name on the wire. */
export function listTitles(): Record<string, string> {
  return {
    name: t('integrations.name'),
    template_id: t('integrations.template'),
    auth_method: t('integrations.auth'),
    auth_header: t('integrations.authHeader'),
    auth_secret_id: t('integrations.authSecret'),
  };
}

/** Problems by field of the draft. */
export function findIntegrationProblems(draft: IntegrationDraft): Record<string, string> {
  const input = toIntegrationInput(draft, '', undefined);
  const checked = { ...input, template_id: draft.template_id === null ? undefined : input.template_id };
  const problems = findProblems(IntegrationInput, checked, listTitles());
  if (hasHeader(draft) && input.auth_header === '') {
    problems.auth_header = t('field.required', { field: t('integrations.authHeader') });
  }
  // Without its secret the server would refuse every call.
  if (draft.auth_method !== 'none' && draft.auth_secret_id === null) {
    problems.auth_secret_id = t('field.required', { field: t('integrations.authSecret') });
  }
  return problems;
}
