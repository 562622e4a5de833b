import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { useOnce } from '../../lib/use-once.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { FormBanner } from '../../ui/form-banner.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { SubmitKeys, submitOnKeys } from '../../ui/submit-keys.tsx';
import { Tag } from '../../ui/tag.tsx';
import { nameApp } from './app-fields.ts';
import { useSaveTemplate } from './data.ts';
import css from './form.module.css';
import { newDraft } from './template-draft.ts';
import { TemplateFields } from './template-fields.tsx';
import type { TemplateChoices } from './template-part.ts';
import { useTemplateChoices } from './use-template-choices.ts';
import { useTemplateForm } from './use-template-form.ts';
import { linkToList, linkToTemplate } from './use-view.ts';

/** Creates a template: `app` in the address says for what, `view` where it is listed. */
export function TemplateFormScreen() {
  const projectId = useProjectId();
  const { app, view } = useSearch({ strict: false });
  const { can } = useProjectAccess(projectId);
  const choices = useTemplateChoices(projectId);
  usePage(t('templates.new'), [{ label: t('nav.templates'), link: linkToList(projectId, readId(view)) }]);
  if (!can('resources')) return <EmptyState title={t('templates.mayNotEdit')} />;
  if (choices.error !== null) return <ErrorState error={choices.error} />;
  if (choices.data === undefined) return <PageHeader title={t('templates.new')} />;
  const chosen = typeof app === 'string' && app !== '' ? app : 'ansible';
  return <NewTemplate key={chosen} projectId={projectId} app={chosen} viewId={readId(view)} choices={choices.data} />;
}

type NewTemplateProps = { projectId: number; app: string; viewId: number | undefined; choices: TemplateChoices };

function NewTemplate({ projectId, app, viewId, choices }: NewTemplateProps) {
  const save = useSaveTemplate(projectId);
  const navigate = useNavigate();
  // A view that is gone is no view to begin with.
  const startView = choices.views.some(({ id }) => id === viewId) ? viewId : undefined;
  const form = useTemplateForm(newDraft(app, startView ?? null), save.error, (draft) =>
    save.mutate(
      { id: undefined, draft, schedule: undefined },
      {
        onSuccess: (id) => {
          showSuccess(t('templates.created', { name: draft.name.trim() }));
          void navigate(linkToTemplate(projectId, startView, id));
        },
      },
    ),
  );
  const submit = useOnce(() => form.submit());
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    submit();
  };
  return (
    <>
      <PageHeader
        title={
          <span className={css.formTitle}>
            <span className={css.appIcon}>
              <AppIcon app={app} size={17} />
            </span>
            {t('templates.new')}
          </span>
        }
        beside={<Tag>{nameApp(app)}</Tag>}
      />
      <form className={css.form} onSubmit={handleSubmit} onKeyDown={submitOnKeys} noValidate>
        <FormBanner>{form.banner}</FormBanner>
        <div ref={form.fieldsRef}>
          <TemplateFields
            draft={form.draft}
            errors={form.errors}
            choices={choices}
            self={undefined}
            onChange={form.change}
          />
        </div>
        <footer className={css.footer}>
          <Button onClick={() => void navigate(linkToList(projectId, viewId))}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="primary" loading={save.isPending} rightSection={<SubmitKeys />}>
            {t('ui.create')}
          </Button>
        </footer>
      </form>
    </>
  );
}

function readId(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}
