import { Anchor, Select, TextInput } from '@mantine/core';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Launch, TaskItem } from '@signalbox/contract/tasks';
import type { Template } from '@signalbox/contract/templates';
import { IconHistory } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { formatShortMoment, parseTime } from '../../lib/dates.ts';
import { t } from '../../lib/i18n.ts';
import { useNow } from '../../lib/use-now.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Tag } from '../../ui/tag.tsx';
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
import { SurveyField } from './survey-field.tsx';

type LaunchDialogProps = {
  template: Template;
  /** Task whose values the form begins with. */
  from: TaskItem | undefined;
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
  const last = template.last_task;

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
      error={banner}
      footer={
        last === null ? undefined : (
          <span className={css.reuse}>
            <IconHistory size={17} stroke={1.7} aria-hidden />
            <span>
              {t('launch.useValuesOf')}{' '}
              <Anchor
                component="button"
                type="button"
                inherit
                fw={570}
                aria-label={`${t('launch.useValuesOf')} #${last.id}`}
                onClick={() => change(startDraft(template, last))}
              >
                #{last.id}
              </Anchor>
            </span>
          </span>
        )
      }
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
          error={errors[`environment.${variable.name}`]}
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

type BuildFieldProps = {
  builds: readonly TaskItem[] | undefined;
  value: string | null;
  error: string | undefined;
  onChange: (id: string | null) => void;
};

function BuildField({ builds = [], value, error, onChange }: BuildFieldProps) {
  const now = useNow(60_000);
  return (
    <Select
      label={t('launch.build')}
      withAsterisk
      data={builds.map((build) => ({ value: String(build.id), label: describeBuild(build, now) }))}
      value={value}
      error={error}
      searchable={builds.length > 8}
      placeholder={t('launch.choose')}
      description={value === null ? t('launch.noBuilds') : undefined}
      onChange={onChange}
    />
  );
}

/** 2.14.7 · built 21 m ago · Fix the login */
function describeBuild({ id, version, end, message }: TaskItem, now: number): string {
  const built = end === null ? '' : t('launch.built', { when: formatShortMoment(parseTime(end), now) });
  return [version ?? `#${id}`, built, message].filter((part) => part !== '').join(' · ');
}

function toText(id: number | undefined): string | null {
  return id === undefined ? null : String(id);
}
