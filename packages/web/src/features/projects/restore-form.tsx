import { Button, Input, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { RestoredProject } from '@signalbox/contract/backup';
import { type ChangeEvent, useId, useRef, useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { changePreferences } from '../../lib/preferences.ts';
import { useOnce } from '../../lib/use-once.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { submitOnKeys } from '../../ui/submit-keys.tsx';
import { nameBackup, readBackup } from './backup-file.ts';
import { useRestoreProject } from './data.ts';
import css from './projects.module.css';
import { RestoreProblems } from './restore-problems.tsx';
import { RestoreResult } from './restore-result.tsx';

type RestoreDraft = { name: string; backup: ReturnType<typeof readBackup> | undefined };

function findRestoreProblems({ name, backup }: RestoreDraft): Record<string, string> {
  return {
    ...(name.trim() === '' ? { name: t('projects.nameRequired') } : {}),
    ...(backup === undefined ? { backup: t('projects.fileRequired') } : {}),
  };
}

/** Makes a project from a backup file. The name is that of the file until another one is typed. */
export function RestoreForm() {
  const restore = useRestoreProject();
  const [restored, setRestored] = useState<RestoredProject>();
  const form = useForm<RestoreDraft>({
    initialValues: { name: '', backup: undefined },
    validate: findRestoreProblems,
  });
  const fileId = useId();
  /** The name that the last file brought along. */
  const given = useRef('');

  const handleFile = async (event: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const [file] = event.currentTarget.files ?? [];
    restore.reset();
    form.setFieldValue('backup', undefined);
    if (file === undefined) return;
    try {
      const backup = readBackup(await file.text());
      form.setFieldValue('backup', backup);
      form.clearFieldError('backup');
      const { name = '' } = backup.meta;
      if (form.getValues().name === given.current) form.setFieldValue('name', name);
      given.current = name;
    } catch (error) {
      form.setFieldError('backup', describeError(error));
    }
  };
  const save = useOnce(({ name, backup }: typeof form.values) => {
    if (backup === undefined) return;
    restore.mutate(nameBackup(backup, name), {
      onSuccess: (project) => {
        // It is the chosen one from now on, also behind the dialog.
        changePreferences({ lastProject: project.id });
        setRestored(project);
      },
    });
  });
  return (
    <>
      <form className={css.form} onSubmit={form.onSubmit(save)} onKeyDown={submitOnKeys} noValidate>
        {restore.error === null ? null : (
          <FormBanner>
            <RestoreProblems error={restore.error} />
          </FormBanner>
        )}
        <Input.Wrapper
          id={fileId}
          label={t('projects.file')}
          withAsterisk
          description={t('projects.fileHint')}
          error={form.errors.backup}
        >
          <input
            id={fileId}
            className={css.file}
            type="file"
            accept=".json,application/json"
            data-autofocus
            aria-invalid={form.errors.backup !== undefined}
            onChange={(event) => void handleFile(event)}
          />
        </Input.Wrapper>
        <TextInput label={t('projects.name')} withAsterisk {...form.getInputProps('name')} />
        <div className={css.buttons}>
          <Button type="submit" variant="primary" loading={restore.isPending}>
            {t('projects.restoreButton')}
          </Button>
        </div>
      </form>
      {/* Not in the form, which would get its keys. */}
      {restored === undefined ? null : <RestoreResult project={restored} />}
    </>
  );
}
