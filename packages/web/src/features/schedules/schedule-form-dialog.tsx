import { Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDebouncedValue } from '@mantine/hooks';
import { readCron } from '@signalbox/contract/cron';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Repository } from '@signalbox/contract/repositories';
import type { Schedule } from '@signalbox/contract/schedules';
import type { Template } from '@signalbox/contract/templates';
import { t } from '../../lib/i18n.ts';
import type { OpenForm } from '../../lib/use-open-form.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import css from './cron.module.css';
import { CronPickers } from './cron-pickers.tsx';
import type { ScheduleSave } from './data.ts';
import { NextRuns } from './next-runs.tsx';
import { listZones, readViewerZone } from './next-times.ts';
import {
  draftOf,
  findScheduleProblems,
  hasOptions,
  listTitles,
  type ScheduleDraft,
  toScheduleInput,
} from './schedule-draft.ts';
import { TaskOptions } from './task-options.tsx';

/** Soon enough to feel immediate, late enough not to ask for every letter. */
const settleMs = 250;

type ScheduleFormDialogProps = OpenForm<Schedule, ScheduleSave> & {
  projectId: number;
  templates: readonly Template[];
  inventories: readonly Inventory[];
  repositories: readonly Repository[];
};

export function ScheduleFormDialog(props: ScheduleFormDialogProps) {
  const { value, templates, onSubmit, error } = props;
  const findTemplate = (id: string | null) => templates.find((template) => String(template.id) === id);
  const form = useForm<ScheduleDraft>({
    initialValues: draftOf(value),
    validate: (draft) => findScheduleProblems(draft, findTemplate(draft.template_id)),
  });
  const draft = form.values;
  const template = findTemplate(draft.template_id);
  const banner = useRefusal(error, listTitles(template), form.setErrors);
  const [settled] = useDebouncedValue(draft.cron_format.trim(), settleMs);
  const reading = readCron(settled);
  const zoneInText = 'cron' in reading ? reading.cron.zone : undefined;
  const handleSubmit = form.onSubmit((sent) =>
    onSubmit({ id: value?.id, input: toScheduleInput(sent, findTemplate(sent.template_id), value) }),
  );
  const repository = props.repositories.find(({ id }) => id === value?.repository_id);
  return (
    <FormDialog
      isOpen
      title={value === undefined ? t('schedules.new') : t('schedules.edit')}
      subtitle={repository === undefined ? undefined : t('schedules.onCommitHint', { repository: repository.name })}
      submitLabel={value === undefined ? t('ui.create') : t('ui.save')}
      onSubmit={() => handleSubmit()}
      onClose={props.onClose}
      isBusy={props.isBusy}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput label={t('schedules.name')} withAsterisk data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('schedules.template')}
        withAsterisk
        searchable
        placeholder={t('schedules.chooseTemplate')}
        nothingFoundMessage={t('schedules.noTemplate')}
        description={templates.length === 0 ? t('schedules.templatesMissing') : undefined}
        data={templates.map(({ id, name }) => ({ value: String(id), label: name }))}
        {...form.getInputProps('template_id')}
      />
      <TextInput
        label={t('schedules.cron')}
        withAsterisk
        className={css.mono}
        placeholder={t('schedules.cronExample')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        {...form.getInputProps('cron_format')}
        error={form.errors.cron_format ?? describeCronProblem(settled)}
      />
      <CronPickers text={draft.cron_format} onChange={(text) => form.setFieldValue('cron_format', text)} />
      <Select
        label={t('schedules.timezone')}
        withAsterisk
        searchable
        nothingFoundMessage={t('schedules.noZone')}
        description={zoneInText === undefined ? undefined : t('schedules.zoneInText', { zone: zoneInText })}
        data={listZones(readViewerZone(), draft.timezone)}
        {...form.getInputProps('timezone')}
      />
      <NextRuns projectId={props.projectId} cron={settled} zone={zoneInText ?? draft.timezone} />
      {template === undefined ? null : (
        <TaskOptions
          template={template}
          inventories={props.inventories}
          form={form}
          isInitiallyOpen={hasOptions(value)}
        />
      )}
    </FormDialog>
  );
}

/** What is wrong with a text, before it is sent. One that is empty is still to be written. */
function describeCronProblem(text: string): string | undefined {
  const reading = readCron(text);
  return text === '' || 'cron' in reading ? undefined : `Cron: ${reading.problem}`;
}
