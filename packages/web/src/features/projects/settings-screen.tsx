import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Project } from '@signalbox/contract/projects';
import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { projectsQuery, useProjectAccess } from '../../lib/session.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { DashboardHeader } from '../../ui/dashboard-header.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormBanner } from '../../ui/form-banner.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
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

export function SettingsScreen() {
  const projectId = useProjectId();
  const projects = useQuery(projectsQuery);
  const project = projects.data?.find(({ id }) => id === projectId);
  const canChange = useProjectAccess(projectId).can('update');
  usePage(t('projects.settings'));
  return (
    <>
      <DashboardHeader tab="settings" canUpdate={canChange} isStandard={project?.type === ''} />
      {projects.error === null ? null : <ErrorState error={projects.error} onRetry={() => void projects.refetch()} />}
      {project === undefined ? null : <SettingsForm key={project.id} project={project} canChange={canChange} />}
    </>
  );
}

function SettingsForm({ project, canChange }: { project: Project; canChange: boolean }) {
  const change = useChangeProject(project);
  const form = useForm<ProjectDraft>({ initialValues: draftOf(project), validate: findProjectProblems });
  const banner = useRefusal(change.error, listTitles(), (problems) => form.setErrors(renameProblems(problems)));
  const handleSubmit = form.onSubmit((draft) =>
    change.mutate(toProjectInput(draft), {
      onSuccess: () => {
        form.resetDirty(draft);
        showSuccess(t('projects.saved', { name: draft.name.trim() }));
      },
    }),
  );
  return (
    <form className={css.form} onSubmit={handleSubmit} noValidate>
      {canChange ? null : <Tag>{t('ui.readOnly')}</Tag>}
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
