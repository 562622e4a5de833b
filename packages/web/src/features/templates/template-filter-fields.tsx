import { Button, Menu, TextInput } from '@mantine/core';
import type { Template } from '@signalbox/contract/templates';
import { IconFilter, IconSearch } from '@tabler/icons-react';
import { t } from '../../lib/i18n.ts';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { nameApp } from './app-fields.ts';
import { notLaunched, type TemplateFilter } from './template-filter.ts';
import css from './templates.module.css';

type FilterFieldsProps = {
  value: TemplateFilter;
  /** What can be asked for is what there is. */
  templates: readonly Template[];
  onChange: (change: Partial<TemplateFilter>) => void;
};

/** Narrows the list: by words, by app, by the state of the last task. */
export function TemplateFilterFields({ value, templates, onChange }: FilterFieldsProps) {
  const apps = [...new Set(templates.map(({ app }) => app))].sort();
  const statuses = [...new Set(templates.map(({ last_task: task }) => task?.status ?? notLaunched))].sort();
  const count = [value.app, value.status].filter((each) => each !== '').length;
  return (
    <>
      <TextInput
        className={css.filter}
        type="search"
        aria-label={t('templates.filter')}
        placeholder={t('templates.filter')}
        leftSection={<IconSearch size={16} stroke={1.7} />}
        defaultValue={value.q}
        onChange={(event) => onChange({ q: event.currentTarget.value })}
        aria-keyshortcuts="/"
      />
      <Menu position="bottom-end" closeOnItemClick={false}>
        <Menu.Target>
          <Button leftSection={<IconFilter size={17} stroke={1.7} />}>
            {count === 0 ? t('templates.filterMore') : t('templates.filterCount', { count })}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={css.filterMenu}>
          <Menu.Label>{t('templates.app')}</Menu.Label>
          {apps.map((app) => (
            <Menu.CheckboxItem
              key={app}
              checked={value.app === app}
              onChange={() => onChange({ app: value.app === app ? '' : app })}
            >
              {nameApp(app)}
            </Menu.CheckboxItem>
          ))}
          <Menu.Label>{t('templates.status')}</Menu.Label>
          {statuses.map((status) => (
            <Menu.CheckboxItem
              key={status}
              checked={value.status === status}
              onChange={() => onChange({ status: value.status === status ? '' : status })}
            >
              {status === notLaunched ? t('templates.notLaunched') : <StatusBadge status={status} />}
            </Menu.CheckboxItem>
          ))}
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
