import { Button, Select, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Registration } from '@signalbox/contract/runner-registrations';
import { t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { SecretLine } from '../../ui/secret-line.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { UsageText, useServerAddress } from './credentials-dialog.tsx';
import { type RunnerPlace, useCreateRegistration } from './data.ts';
import {
  findRegistrationProblems,
  listTitles,
  type RegistrationDraft,
  renameProblems,
  toRegistrationInput,
} from './runner-draft.ts';
import css from './runners.module.css';

type RegistrationDialogProps = { projectId: RunnerPlace; onClose: () => void };

/** Makes a token with which one runner registers itself: name and keys are made on its own machine. */
export function RegistrationDialog({ projectId, onClose }: RegistrationDialogProps) {
  const isInProject = projectId !== undefined;
  const create = useCreateRegistration(projectId);
  const form = useForm<RegistrationDraft>({
    initialValues: { tag: '', limit: '', life: '3600' },
    validate: (draft) => findRegistrationProblems(draft, isInProject),
  });
  const banner = useRefusal(create.error, listTitles(), (problems) => form.setErrors(renameProblems(problems)));
  const handleSubmit = form.onSubmit((draft) => create.mutate(toRegistrationInput(draft)));
  if (create.data !== undefined) return <RegistrationToken registration={create.data} onClose={onClose} />;
  return (
    <FormDialog
      isOpen
      title={t('runners.registration')}
      subtitle={t('runners.registrationHint')}
      submitLabel={t('ui.create')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={create.isPending}
      isDirty={form.isDirty()}
      error={banner}
    >
      <TextInput
        label={t('runners.tag')}
        description={t(isInProject ? 'runners.tagHintProject' : 'runners.tagHint')}
        withAsterisk={isInProject}
        data-autofocus
        {...form.getInputProps('tag')}
      />
      <TextInput label={t('runners.limit')} inputMode="numeric" placeholder="∞" {...form.getInputProps('limit')} />
      <Select
        label={t('runners.goodFor')}
        data={[
          { value: '3600', label: t('runners.hour') },
          { value: '86400', label: t('runners.day') },
          { value: '604800', label: t('runners.week') },
        ]}
        {...form.getInputProps('life')}
      />
    </FormDialog>
  );
}

function RegistrationToken({ registration, onClose }: { registration: Registration; onClose: () => void }) {
  const server = useServerAddress();
  const command = [
    `signalbox-runner setup --server '${server}' --registration-token-stdin <<'END'`,
    registration.token,
    'END',
    'signalbox-runner start',
    '',
  ].join('\n');
  return (
    <DialogFrame isOpen onClose={onClose} width={600} closesOutside={false} closesByKey={false}>
      <DialogHeader title={t('runners.registration')} subtitle={t('runners.registrationOnce')} />
      <DialogContent>
        <SecretLine
          label={t('runners.registrationToken')}
          text={registration.token}
          copyLabel={t('runners.copyToken')}
          copied={t('runners.tokenCopied')}
        />
        <p className={css.hint}>
          {t('runners.goodUntil')} <TimeAgo time={registration.expires} />
        </p>
        <div>
          <h3 className={css.heading}>{t('runners.usage')}</h3>
          <UsageText text={command} />
        </div>
      </DialogContent>
      <DialogFooter>
        <Button variant="primary" onClick={onClose}>
          {t('runners.done')}
        </Button>
      </DialogFooter>
    </DialogFrame>
  );
}
