import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { IconFlask } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { submitOnKeys } from '../../ui/submit-keys.tsx';
import { useCreateProject } from './data.ts';
import { NoProjectRight } from './no-project-right.tsx';
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

export function NewProjectScreen() {
  const { data: user } = useQuery(currentUserQuery);
  usePage(t('projects.new'));
  if (user !== undefined && !user.can_create_project && !user.admin) {
    return <NoProjectRight />;
  }
  return (
    <>
      <PageHeader title={t('projects.new')} />
      <NewProjectForm />
    </>
  );
}

function NewProjectForm() {
  const navigate = useNavigate();
  const create = useCreateProject();
  const [isDemo, setDemo] = useState(false);
  const form = useForm<ProjectDraft>({ initialValues: draftOf(undefined), validate: findProjectProblems });
  const banner = useRefusal(create.error, listTitles(), (problems) => form.setErrors(renameProblems(problems)));

  const handleCreate = async (draft: ProjectDraft, demo: boolean): Promise<void> => {
    setDemo(demo);
    // The form says what went wrong.
    const project = await create.mutateAsync({ ...toProjectInput(draft), demo }).catch(() => undefined);
    if (project === undefined) return;
    showSuccess(t('projects.created', { name: project.name }));
    const place = demo ? '/project/$projectId/templates' : '/project/$projectId/history';
    await navigate({ to: place, params: { projectId: String(project.id) }, search: {} });
  };
  // One for both buttons: a project is not made beside its demo.
  const createOnce = useOnce((draft: ProjectDraft, demo: boolean) => void handleCreate(draft, demo));
  const handleSubmit = form.onSubmit((draft) => createOnce(draft, false));
  const handleDemo = (): void => {
    // A demo project needs no thought, so it brings its name along.
    const draft = form.values.name.trim() === '' ? { ...form.values, name: t('projects.demoName') } : form.values;
    const problems = findProjectProblems(draft);
    form.setErrors(problems);
    if (Object.keys(problems).length === 0) createOnce(draft, true);
  };
  return (
    <form className={css.form} onSubmit={handleSubmit} onKeyDown={submitOnKeys} noValidate>
      <FormBanner>{banner}</FormBanner>
      <ProjectFields form={form} />
      <div className={css.buttons}>
        <Button
          type="submit"
          variant="primary"
          loading={create.isPending && !isDemo}
          disabled={create.isPending && isDemo}
        >
          {t('projects.create')}
        </Button>
        <Button
          leftSection={<IconFlask size={17} stroke={1.7} />}
          loading={create.isPending && isDemo}
          disabled={create.isPending && !isDemo}
          onClick={handleDemo}
        >
          {t('projects.createDemo')}
        </Button>
      </div>
      <p className={css.hint}>{t('projects.demoHint')}</p>
    </form>
  );
}
