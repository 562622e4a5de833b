import { Button, TextInput } from '@mantine/core';
import type { Project } from '@signalbox/contract/projects';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useDeleteProject } from './data.ts';
import css from './projects.module.css';

export function DangerZone({ project }: { project: Project }) {
  const [isAsked, setAsked] = useState(false);
  return (
    <section className={css.section} data-danger aria-labelledby="danger">
      <h2 id="danger">{t('projects.danger')}</h2>
      <p>{t('projects.dangerText')}</p>
      <Button variant="danger" leftSection={<IconTrash size={17} stroke={1.7} />} onClick={() => setAsked(true)}>
        {t('projects.delete')}
      </Button>
      {isAsked ? <DeleteProjectDialog project={project} onClose={() => setAsked(false)} /> : null}
    </section>
  );
}

type DeleteProjectDialogProps = { project: Project; onClose: () => void };

/** All of a project goes with it, so its name must be typed. */
function DeleteProjectDialog({ project, onClose }: DeleteProjectDialogProps) {
  const [typed, setTyped] = useState('');
  const remove = useDeleteProject(project);
  const { name } = project;
  return (
    <FormDialog
      isOpen
      title={t('projects.delete')}
      submitLabel={t('ui.delete')}
      isDangerous
      isSubmitDisabled={typed.trim() !== name.trim()}
      isBusy={remove.isPending}
      error={remove.error === null ? undefined : describeError(remove.error)}
      onSubmit={() => remove.mutate(() => showSuccess(t('projects.deleted', { name })))}
      onClose={onClose}
    >
      <div>{t('projects.deleteText', { name })}</div>
      <TextInput
        label={t('projects.typeName', { name })}
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
