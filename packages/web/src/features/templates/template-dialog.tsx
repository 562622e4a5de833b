import type { Template } from '@signalbox/contract/templates';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { nameApp } from './app-fields.ts';
import { useSaveTemplate } from './data.ts';
import css from './form.module.css';
import { LoadingDialog } from './loading-dialog.tsx';
import { copyOf, draftOf } from './template-draft.ts';
import { TemplateFields } from './template-fields.tsx';
import type { TemplateChoices } from './template-part.ts';
import { useCommitSchedule, useTemplateChoices } from './use-template-choices.ts';
import { useTemplateForm } from './use-template-form.ts';

/** As wide as two columns of fields with what is said beside them. */
const width = 1040;

type TemplateDialogProps = {
  template: Template;
  /** A new template with everything of this one, instead of a change of it. */
  isCopy: boolean;
  onSaved: (id: number) => void;
  onClose: () => void;
};

/** The form of a template over its page. */
export function TemplateDialog(props: TemplateDialogProps) {
  const { template, isCopy } = props;
  const title = t(isCopy ? 'templates.copyTitle' : 'templates.edit');
  const choices = useTemplateChoices(template.project_id);
  const schedule = useCommitSchedule(template.project_id, template.id);
  const error = choices.error ?? schedule.error;
  if (choices.data === undefined || !schedule.isReady) {
    return <LoadingDialog title={title} width={width} error={error} onClose={props.onClose} />;
  }
  return <OpenDialog {...props} title={title} choices={choices.data} schedule={schedule.data} />;
}

type OpenDialogProps = TemplateDialogProps & {
  title: string;
  choices: TemplateChoices;
  schedule: ReturnType<typeof useCommitSchedule>['data'];
};

function OpenDialog({ template, isCopy, onSaved, onClose, title, choices, schedule }: OpenDialogProps) {
  const save = useSaveTemplate(template.project_id);
  const [start] = useState(() => readStart(template, isCopy, schedule));
  const form = useTemplateForm(start.draft, save.error, (draft) =>
    save.mutate(
      { id: isCopy ? undefined : template.id, draft, schedule: isCopy ? undefined : schedule },
      {
        onSuccess: (id) => {
          showSuccess(t(isCopy ? 'templates.created' : 'templates.saved', { name: draft.name.trim() }));
          onSaved(id);
        },
      },
    ),
  );
  return (
    <FormDialog
      isOpen
      width={width}
      title={title}
      subtitle={`${nameApp(template.app)} · ${template.name}`}
      submitLabel={t(isCopy ? 'ui.create' : 'ui.save')}
      onSubmit={form.submit}
      onClose={onClose}
      isBusy={save.isPending}
      isDirty={form.isDirty}
      isSubmitDisabled={start.problem !== undefined}
      error={start.problem ?? form.banner}
    >
      <div ref={form.fieldsRef} className={css.inDialog}>
        <TemplateFields
          draft={form.draft}
          errors={form.errors}
          choices={choices}
          self={isCopy ? undefined : template.id}
          onChange={form.change}
        />
      </div>
    </FormDialog>
  );
}

type Schedule = OpenDialogProps['schedule'];

/** A copy that would not be whole is refused before it begins. */
function readStart(template: Template, isCopy: boolean, schedule: Schedule) {
  if (!isCopy) return { draft: draftOf(template, schedule), problem: undefined };
  try {
    return { draft: copyOf(template, schedule), problem: undefined };
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return { draft: draftOf({ ...template, survey_vars: [], vaults: [] }), problem };
  }
}
