import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '@signalbox/contract/projects';
import { useEffect } from 'react';
import { t } from '../../lib/i18n.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { submitOnKeys } from '../../ui/submit-keys.tsx';
import { useChangeProject } from './data.ts';
import {
  draftOf,
  findProjectProblems,
  listTitles,
  type ProjectDraft,
  renameProblems,
  toProjectInput,
} from './project-draft.ts';
import { ProjectFields } from './project-fields.tsx';
import css from './projects.module.css';

type SettingsFormProps = { project: Project; canChange: boolean };

/** The general form of a project. What others save appears in it, unless that would throw away a draft. */
export function SettingsForm({ project, canChange }: SettingsFormProps) {
  const change = useChangeProject(project);
  const form = useForm<ProjectDraft>({ initialValues: draftOf(project), validate: findProjectProblems });
  const banner = useRefusal(change.error, listTitles(), (problems) => form.setErrors(renameProblems(problems)));
  const saved = JSON.stringify(draftOf(project));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form is a new object at every drawing
  useEffect(() => {
    const draft: ProjectDraft = JSON.parse(saved);
    if (!form.isDirty()) form.setValues(draft);
    form.resetDirty(draft);
  }, [saved]);

  const save = useOnce((draft: ProjectDraft) =>
    change.mutate(toProjectInput(draft), {
      onSuccess: () => showSuccess(t('projects.saved', { name: draft.name.trim() })),
    }),
  );
  return (
    <form className={css.form} onSubmit={form.onSubmit(save)} onKeyDown={submitOnKeys} noValidate>
      <FormBanner>{banner}</FormBanner>
      <ProjectFields form={form} isDisabled={!canChange} />
      {canChange ? (
        <div className={css.buttons}>
          <Button type="submit" variant="primary" loading={change.isPending} disabled={!form.isDirty()}>
            {t('ui.save')}
          </Button>
        </div>
      ) : null}
    </form>
  );
}
