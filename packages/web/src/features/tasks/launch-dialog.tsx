import { TextInput } from '@mantine/core';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Launch, TaskItem } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import { type ReactNode, useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SurveyField } from '../../ui/survey-field.tsx';
import { Tag } from '../../ui/tag.tsx';
import { BuildField } from './build-field.tsx';
import { EarlierTasks } from './earlier-tasks.tsx';
import css from './launch.module.css';
import {
  findLaunchProblems,
  type LaunchDraft,
  listLaunchTitles,
  readOffer,
  startDraft,
  toLaunch,
} from './launch-draft.ts';
import { LaunchOptions } from './launch-options.tsx';
import type { ToolState } from './missing-tool.ts';

type LaunchDialogProps = {
  template: Template;
  /** Task whose values the form begins with. */
  from: TaskItem | undefined;
  /** Latest tasks of the template, whose values can be taken over; newest first. */
  earlier: readonly TaskItem[];
  /** Why the reader may not run the template; undefined when he may. */
  barred: string | undefined;
  /** Successful builds of a deploy template; undefined while they are fetched. */
  builds: readonly TaskItem[] | undefined;
  inventories: readonly Inventory[];
  /** Playbook, inventory and branch in one line. */
  summary: ReactNode;
  tool: ToolState;
  isBusy: boolean;
  error: unknown;
  onSubmit: (launch: Launch) => void;
  onClose: () => void;
};

/** The form that a template makes for its launch. */
export function LaunchDialog(props: LaunchDialogProps) {
  const { template, builds, onSubmit } = props;
  const [draft, setDraft] = useState<LaunchDraft>(() => startDraft(template, props.from));
  const [isDirty, setDirty] = useState(false);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const offer = readOffer(template);
  const banner = useRefusal(props.error, listLaunchTitles(template), setErrors);
  // The newest build is what is usually deployed, so it is chosen as soon as it is known.
  const complete = { ...draft, buildTaskId: draft.buildTaskId ?? toText(builds?.[0]?.id) };

  const change = (part: Partial<LaunchDraft>): void => {
    const next = { ...complete, ...part };
    setDraft(next);
    setDirty(true);
    // What was wrong is looked at again with every change, and only then.
    if (Object.keys(errors).length > 0) setErrors(findLaunchProblems(template, next));
  };
  const handleSubmit = (): void => {
    const problems = findLaunchProblems(template, complete);
    setErrors(problems);
    if (Object.keys(problems).length === 0) onSubmit(toLaunch(template, complete));
  };

  return (
    <FormDialog
      isOpen
      title={
        <span className={css.title}>
          {t('launch.title', { name: template.name })}
          {template.type === '' ? null : (
            <Tag>{t(template.type === 'build' ? 'launch.typeBuild' : 'launch.typeDeploy')}</Tag>
          )}
        </span>
      }
      subtitle={props.summary}
      submitLabel={t('launch.run')}
      onSubmit={handleSubmit}
      onClose={props.onClose}
      isBusy={props.isBusy}
      isDirty={isDirty}
      error={props.barred ?? banner}
      isSubmitDisabled={props.barred !== undefined}
      footer={<EarlierTasks tasks={props.earlier} onChoose={(task) => change(startDraft(template, task))} />}
    >
      {props.tool === 'present' ? null : (
        <p className={css.warning} role="status">
          {t(props.tool === 'missing' ? 'launch.toolMissing' : 'launch.noRunner', { tool: template.app })}
        </p>
      )}
      {offer.build ? (
        <BuildField
          builds={builds}
          value={complete.buildTaskId}
          error={errors.build_task_id}
          onChange={(buildTaskId) => change({ buildTaskId })}
        />
      ) : null}
      <TextInput
        label={t('tasks.message')}
        value={draft.message}
        error={errors.message}
        onChange={(event) => change({ message: event.currentTarget.value })}
        autoComplete="off"
        data-autofocus
      />
      {template.survey_vars.map((variable) => (
        <SurveyField
          key={variable.name}
          variable={variable}
          value={draft.answers[variable.name] ?? ''}
          error={errors[`environment.${variable.name}`] ?? errors[`secret.${variable.name}`]}
          onChange={(value) => change({ answers: { ...draft.answers, [variable.name]: value } })}
        />
      ))}
      <LaunchOptions
        app={template.app}
        offer={offer}
        draft={draft}
        errors={errors}
        inventories={props.inventories}
        onChange={change}
      />
    </FormDialog>
  );
}

function toText(id: number | undefined): string | null {
  return id === undefined ? null : String(id);
}
