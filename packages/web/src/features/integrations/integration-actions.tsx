import { Button } from '@mantine/core';
import type { Integration } from '@signalbox/contract/integrations';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useIntegrationRemoval } from './data.ts';
import { IntegrationForm } from './integration-form-dialog.tsx';

/** Delete and edit, at the head of the page. */
export function IntegrationActions({ integration }: { integration: Integration }) {
  const { id, project_id: projectId } = integration;
  const [editing, setEditing] = useEditing();
  const navigate = useNavigate();
  const removal = useIntegrationRemoval(projectId, ({ name }) => {
    showSuccess(t('integrations.deleted', { name }));
    void navigate({
      to: '/project/$projectId/integrations',
      params: { projectId: String(projectId) },
      search: {},
      replace: true,
    });
  });
  return (
    <>
      <IconButton
        label={t('ui.delete')}
        variant="default"
        size={34}
        isDisabled={removal.isBusy}
        onClick={() => removal.start(integration)}
      >
        <IconTrash size={17} stroke={1.7} />
      </IconButton>
      <Button leftSection={<IconPencil size={17} stroke={1.7} />} onClick={() => setEditing(id)}>
        {t('ui.edit')}
      </Button>
      {editing === id ? (
        <IntegrationForm key={id} projectId={projectId} value={integration} onClose={() => setEditing(undefined)} />
      ) : null}
      <RemovalDialogs removal={removal} object={t('integrations.object')} />
    </>
  );
}
