import { Button } from '@mantine/core';
import type { Template } from '@signalbox/contract/templates';
import { IconCopy, IconPencil, IconTrash } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { t } from '../../lib/i18n.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { RemovalDialogs } from '../../ui/removal-dialogs.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useTemplateRemoval } from './data.ts';
import { RunButton } from './run-button.tsx';
import { useDialog } from './use-dialog.ts';
import { linkToList, linkToTemplate, useViewId } from './use-view.ts';

// The form is the largest part of this area, and most who look at a template do not change it.
const TemplateDialog = lazy(async () => ({ default: (await import('./template-dialog.tsx')).TemplateDialog }));

type TemplateActionsProps = { template: Template; onRemoved: () => void };

/** What can be done with a template: run it, and for those who manage resources delete, copy and edit it. */
export function TemplateActions({ template, onRemoved }: TemplateActionsProps) {
  const canEdit = useProjectAccess(template.project_id).can('resources');
  return (
    <>
      {canEdit ? <ManageButtons template={template} onRemoved={onRemoved} /> : null}
      <RunButton template={template} />
    </>
  );
}

function ManageButtons({ template, onRemoved }: TemplateActionsProps) {
  const { project_id: projectId } = template;
  const viewId = useViewId();
  const navigate = useNavigate();
  const [dialog, setDialog] = useDialog();
  const removal = useTemplateRemoval(projectId, ({ name }) => {
    onRemoved();
    showSuccess(t('templates.deleted', { name }));
    void navigate(linkToList(projectId, viewId));
  });
  return (
    <>
      <IconButton
        label={t('ui.delete')}
        variant="default"
        size={34}
        isDisabled={removal.isBusy}
        onClick={() => removal.start(template)}
      >
        <IconTrash size={17} stroke={1.7} />
      </IconButton>
      <IconButton label={t('templates.copy')} variant="default" size={34} onClick={() => setDialog('copy')}>
        <IconCopy size={17} stroke={1.7} />
      </IconButton>
      <Button leftSection={<IconPencil size={17} stroke={1.7} />} onClick={() => setDialog('edit')}>
        {t('ui.edit')}
      </Button>
      {dialog === 'edit' || dialog === 'copy' ? (
        <Suspense>
          <TemplateDialog
            key={dialog}
            template={template}
            isCopy={dialog === 'copy'}
            onSaved={(id) =>
              dialog === 'copy' ? void navigate(linkToTemplate(projectId, viewId, id)) : setDialog(undefined)
            }
            onClose={() => setDialog(undefined)}
          />
        </Suspense>
      ) : null}
      <RemovalDialogs removal={removal} object={t('templates.object')} />
    </>
  );
}
