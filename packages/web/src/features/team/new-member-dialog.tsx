import { Select } from '@mantine/core';
import { useForm } from '@mantine/form';
import { type RoleName, roles } from '@signalbox/contract/permissions';
import { type Member, MemberInput } from '@signalbox/contract/team';
import { useQuery } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { nameRole } from '../../lib/describe-role.ts';
import { type MessageKey, t } from '../../lib/i18n.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { peopleQuery, useAddMember } from './data.ts';
import { findMemberProblems, listMemberTitles, type MemberDraft, toMemberInput } from './member-draft.ts';

type NewMemberDialogProps = { projectId: number; members: readonly Member[]; onClose: () => void };

const hints: Record<RoleName, MessageKey> = {
  owner: 'team.ownerHint',
  manager: 'team.managerHint',
  task_runner: 'team.taskRunnerHint',
  guest: 'team.guestHint',
};

export function NewMemberDialog({ projectId, members, onClose }: NewMemberDialogProps) {
  const people = useQuery(peopleQuery);
  const add = useAddMember(projectId);
  const form = useForm<MemberDraft>({ initialValues: { user_id: null, role: null }, validate: findMemberProblems });
  const banner = useRefusal(add.error ?? people.error, listMemberTitles(), form.setErrors);
  const others = (people.data ?? []).filter(({ id }) => !members.some((member) => member.id === id));
  const { role } = form.values;

  const handleSubmit = form.onSubmit((draft) => {
    const input = z.parse(MemberInput, toMemberInput(draft));
    add.mutate(input, {
      onSuccess: () => {
        onClose();
        showSuccess(t('team.added', { name: others.find(({ id }) => id === input.user_id)?.name ?? '' }));
      },
    });
  });
  return (
    <FormDialog
      isOpen
      title={t('team.new')}
      submitLabel={t('team.add')}
      onSubmit={() => handleSubmit()}
      onClose={onClose}
      isBusy={add.isPending}
      isDirty={form.isDirty()}
      error={banner}
    >
      <Select
        label={t('team.user')}
        withAsterisk
        searchable
        data-autofocus
        placeholder={t('team.chooseUser')}
        nothingFoundMessage={t(people.isPending ? 'ui.loading' : 'team.nobodyLeft')}
        data={others.map(({ id, name, username }) => ({ value: String(id), label: `${name} (${username})` }))}
        {...form.getInputProps('user_id')}
      />
      <Select
        label={t('team.role')}
        withAsterisk
        placeholder={t('team.chooseRole')}
        description={role === null ? undefined : t(hints[role])}
        data={roles.map((value) => ({ value, label: nameRole(value) }))}
        {...form.getInputProps('role')}
      />
    </FormDialog>
  );
}
