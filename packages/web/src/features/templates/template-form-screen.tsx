import type { TemplateInput } from '@signalbox/contract/templates';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { useProjectId } from '../../lib/project-id.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { templateQuery } from '../../lib/task-queries.ts';
import { AppIcon } from '../../ui/app-icon.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ErrorState } from '../../ui/error-state.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { Tag } from '../../ui/tag.tsx';
import { nameApp } from './app-fields.ts';
import { useSaveTemplate } from './data.ts';
import { copyOf, draftOf, newDraft, type TemplateDraft } from './template-draft.ts';
import { TemplateForm } from './template-form.tsx';
import css from './templates.module.css';
import { useTemplateChoices } from './use-template-choices.ts';

/** Creates, copies or edits a template: `app` or `copy` in the address says what a new one begins with. */
export function TemplateFormScreen() {
  const projectId = useProjectId();
  const { templateId } = useParams({ strict: false }) as { templateId?: string };
  const { app, copy } = useSearch({ strict: false });
  const id = templateId === undefined ? undefined : Number(templateId);
  const sourceId = id ?? readId(copy);
  const source = useQuery({ ...templateQuery(projectId, sourceId ?? 0), enabled: sourceId !== undefined });
  const canEdit = useProjectAccess(projectId).can('resources');
  const choices = useTemplateChoices(projectId);
  const save = useSaveTemplate(projectId);
  const navigate = useNavigate();
  const params = { projectId: String(projectId) };
  const title = id === undefined ? t('templates.new') : t('templates.edit');
  usePage(title, [{ label: t('nav.templates'), link: { to: '/project/$projectId/templates', params, search: {} } }]);

  const leave = (target: number | undefined): void =>
    void (target === undefined
      ? navigate({ to: '/project/$projectId/templates', params, search: {} })
      : navigate({
          to: '/project/$projectId/templates/$templateId/tasks',
          params: { ...params, templateId: String(target) },
          search: {},
        }));
  const handleSubmit = (input: TemplateInput): void =>
    save.mutate(
      { id, input },
      {
        onSuccess: (saved) => {
          showSuccess(t(id === undefined ? 'templates.created' : 'templates.saved', { name: input.name }));
          leave(saved);
        },
      },
    );

  if (source.error !== null) return <ErrorState error={source.error} onRetry={() => void source.refetch()} />;
  if (choices.error !== null) return <ErrorState error={choices.error} />;
  const start = chooseStart();
  if (start === undefined || choices.data === undefined) return null;
  if (!canEdit) return <EmptyState title={t('templates.mayNotEdit')} />;
  return (
    <>
      <PageHeader
        title={
          <span className={css.formTitle}>
            <span className={css.appIcon}>
              <AppIcon app={start.app} size={17} />
            </span>
            {title}
          </span>
        }
        beside={<Tag>{nameApp(start.app)}</Tag>}
      />
      <TemplateForm
        key={`${id}-${sourceId}-${start.app}`}
        start={start}
        stored={id === undefined ? undefined : source.data}
        choices={choices.data}
        submitLabel={id === undefined ? t('ui.create') : t('ui.save')}
        isBusy={save.isPending}
        error={save.error}
        onSubmit={handleSubmit}
        onCancel={() => leave(sourceId)}
      />
    </>
  );

  function chooseStart(): TemplateDraft | undefined {
    if (sourceId === undefined) return newDraft(typeof app === 'string' && app !== '' ? app : 'ansible');
    if (source.data === undefined) return undefined;
    return id === undefined ? copyOf(source.data) : draftOf(source.data);
  }
}

function readId(value: unknown): number | undefined {
  const id = Number(value);
  return Number.isInteger(id) && id > 0 ? id : undefined;
}
