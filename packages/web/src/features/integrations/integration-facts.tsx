import type { Integration } from '@signalbox/contract/integrations';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { keysQuery, templatesQuery } from '../../lib/project-lists.ts';
import { KeyValueCard } from '../../ui/key-value-card.tsx';
import { listSetParams } from '../../ui/task-params-fields.tsx';
import { authMethodNames } from './integration-draft.ts';
import css from './integrations.module.css';

/** What an integration starts, and how its callers prove themselves. */
export function IntegrationFacts({ integration }: { integration: Integration }) {
  const { project_id: projectId, template_id: templateId, auth_method: method } = integration;
  const { data: templates } = useQuery(templatesQuery(projectId));
  const { data: keys } = useQuery(keysQuery(projectId));
  const template = templates?.find(({ id }) => id === templateId);
  const secret = keys?.find(({ id }) => id === integration.auth_secret_id)?.name;
  return (
    <KeyValueCard
      facts={[
        {
          label: t('integrations.template'),
          value: (
            <Link
              className={css.link}
              to="/project/$projectId/templates/$templateId"
              params={{ projectId: String(projectId), templateId: String(templateId) }}
              search={{}}
            >
              {template?.name ?? `#${templateId}`}
            </Link>
          ),
        },
        { label: t('integrations.auth'), value: t(authMethodNames[method || 'none']) },
        { label: t('integrations.authHeader'), value: integration.auth_header, mono: true },
        {
          label: t('integrations.authSecret'),
          value: method === '' || keys === undefined ? null : (secret ?? t('integrations.noSecret')),
        },
        { label: t('integrations.options'), value: listSetParams(integration.task_params ?? {}).join(', ') },
      ]}
    />
  );
}
