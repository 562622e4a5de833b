import { Switch } from '@mantine/core';
import type { Integration } from '@signalbox/contract/integrations';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Tag } from '../../ui/tag.tsx';
import { AliasList } from './alias-list.tsx';
import { integrationQuery, useSetSearchable } from './data.ts';
import { DeliveryList } from './delivery-list.tsx';
import { IntegrationActions } from './integration-actions.tsx';
import { IntegrationFacts } from './integration-facts.tsx';
import css from './integrations.module.css';
import { MatcherList } from './matcher-list.tsx';
import { matchersQuery, valuesQuery } from './parts-data.ts';
import { ValueList } from './value-list.tsx';

/** An integration: how calls reach it, what must hold, what is taken from them, and the calls themselves. */
export function IntegrationScreen() {
  const projectId = useProjectId();
  const { integrationId: given } = useParams({ strict: false }) as { integrationId: string };
  const integrationId = Number(given);
  const { data: integration, error, refetch } = useQuery(integrationQuery(projectId, integrationId));
  // What it says about them would push down the lists, and each list what stands below it.
  const { isPending: waitsForMatchers } = useQuery(matchersQuery({ projectId, integrationId }));
  const { isPending: waitsForValues } = useQuery(valuesQuery({ projectId, integrationId }));
  const canEdit = useProjectAccess(projectId).can('update');
  const params = { projectId: String(projectId) };
  usePage(integration?.name ?? `#${given}`, [
    { label: t('nav.integrations'), link: { to: '/project/$projectId/integrations', params, search: {} } },
  ]);
  if (integration === undefined && error !== null) {
    return <ErrorState error={error} onRetry={() => void refetch()} />;
  }
  const place = { projectId, integrationId };
  return (
    <>
      <PageHeader
        title={integration?.name ?? '…'}
        beside={canEdit ? undefined : <Tag>{t('ui.readOnly')}</Tag>}
        actions={canEdit && integration !== undefined ? <IntegrationActions integration={integration} /> : undefined}
      />
      {integration === undefined || waitsForMatchers || waitsForValues ? null : (
        <>
          <IntegrationFacts integration={integration} />
          <GlobalAlias integration={integration} canEdit={canEdit} />
          <div className={css.list}>
            {integration.searchable ? (
              <MatcherList place={place} canEdit={canEdit} />
            ) : (
              <AliasList
                {...place}
                title={t('integrations.ownAliases')}
                hint={t('integrations.ownAliasesHint')}
                canEdit={canEdit}
              />
            )}
            <ValueList place={place} canEdit={canEdit} />
            {canEdit ? <DeliveryList place={place} /> : null}
          </div>
        </>
      )}
    </>
  );
}

/** The switch is saved at once. Matchers hold for the integration's own aliases too, so hidden ones are spoken of. */
function GlobalAlias({ integration, canEdit }: { integration: Integration; canEdit: boolean }) {
  const { project_id: projectId, id: integrationId, searchable } = integration;
  const { data: matchers } = useQuery(matchersQuery({ projectId, integrationId }));
  const setSearchable = useSetSearchable(projectId);
  const count = matchers?.length ?? 0;
  return (
    <div className={css.switchCard}>
      <Switch
        label={t('integrations.searchable')}
        description={t('integrations.searchableHint')}
        checked={searchable}
        disabled={!canEdit}
        onChange={(event) => setSearchable.mutate({ integration, searchable: event.currentTarget.checked })}
      />
      {searchable || count === 0 ? null : (
        <p className={css.note}>
          <IconAlertTriangle size={16} stroke={1.7} aria-hidden />
          {t('integrations.hiddenMatchers', { count })}
        </p>
      )}
    </div>
  );
}
