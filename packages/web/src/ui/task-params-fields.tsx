import { Switch, TagsInput } from '@mantine/core';
import type { TaskParams } from '@signalbox/contract/tasks';
import { t } from '../lib/i18n.ts';
import css from './task-options.module.css';
import { paramLists, paramSwitches, paramTitles, readParamOffer } from './task-params.ts';

type TaskParamsFieldsProps = {
  /** App of the template; those that have no options show nothing. */
  app: string;
  value: TaskParams;
  onChange: (value: TaskParams) => void;
};

/** Lists and switches of the template's app for tasks that a trigger starts. */
export function TaskParamsFields({ app, value, onChange }: TaskParamsFieldsProps) {
  const { lists, switches } = readParamOffer(app);
  if (switches.length === 0) return null;
  return (
    <>
      {lists.map((name) => (
        <TagsInput
          key={name}
          label={t(paramTitles[name])}
          value={value[name] ?? []}
          splitChars={[',', ' ']}
          acceptValueOnBlur
          onChange={(list) => onChange({ ...value, [name]: list })}
        />
      ))}
      <div className={css.switches}>
        {switches.map((name) => (
          <Switch
            key={name}
            label={t(paramTitles[name])}
            checked={value[name] ?? false}
            onChange={(event) => onChange({ ...value, [name]: event.currentTarget.checked })}
          />
        ))}
      </div>
    </>
  );
}

/** What is set, in words: the names of switches, lists with what is in them. */
export function listSetParams(params: TaskParams): string[] {
  return [
    ...paramSwitches.filter((name) => params[name] === true).map((name) => t(paramTitles[name])),
    ...paramLists
      .filter((name) => (params[name]?.length ?? 0) > 0)
      .map((name) => `${t(paramTitles[name])} ${params[name]?.join(', ')}`),
  ];
}
