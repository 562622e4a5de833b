import { Button, Tabs } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { CurrentUser, User } from '@signalbox/contract/users';
import { type FormEvent, useId } from 'react';
import { t } from '../../lib/i18n.ts';
import { useOnce } from '../../lib/use-once.ts';
import { useRefusal } from '../../lib/use-refusal.ts';
import { DialogContent, DialogFooter, DialogFrame, DialogHeader } from '../../ui/dialog-frame.tsx';
import { FormBanner } from '../../ui/form-banner.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { SubmitKeys, submitOnKeys } from '../../ui/submit-keys.tsx';
import { useSaveUser } from './data.ts';
import { SecurityTab } from './security-tab.tsx';
import { draftOf, findUserProblems, listTitles, toUserSave, type UserDraft } from './user-draft.ts';
import { UserFields } from './user-fields.tsx';
import css from './users.module.css';

export type UserTab = 'settings' | 'security';

type UserDialogProps = {
  title: string;
  /** Undefined for a new one. */
  user: User | undefined;
  viewer: CurrentUser;
  tab: UserTab;
  onTab: (tab: UserTab) => void;
  onClose: () => void;
};

/** A user, new or stored, one's own or another's: Settings, and Security of one that exists. */
export function UserDialog(props: UserDialogProps) {
  const { title, user, viewer, tab, onTab, onClose } = props;
  const save = useSaveUser();
  const formId = useId();
  const form = useForm<UserDraft>({
    initialValues: draftOf(user),
    validate: (draft) => findUserProblems(user, draft),
  });
  const banner = useRefusal(save.error, listTitles(), form.setErrors);
  const adminReason = giveAdminReason(user, viewer);
  const handleSubmit = form.onSubmit((draft) =>
    save.mutate(toUserSave(user, draft, adminReason === undefined), {
      onSuccess: () => {
        showSuccess(t(user === undefined ? 'users.created' : 'users.saved', { name: draft.name.trim() }));
        onClose();
      },
    }),
  );
  const submit = useOnce(handleSubmit);
  const send = (event: FormEvent<HTMLFormElement>): void => {
    event.stopPropagation(); // a portal's events reach the form around it in React's tree
    event.preventDefault();
    submit(event);
  };
  const isSettings = tab === 'settings' || user === undefined;
  return (
    <DialogFrame isOpen onClose={onClose} closesOutside={!form.isDirty() && !save.isPending}>
      <DialogHeader title={title} />
      {user === undefined ? null : (
        <Tabs
          value={tab}
          onChange={(next) => onTab(next === 'security' ? 'security' : 'settings')}
          className={css.tabs}
        >
          <Tabs.List>
            <Tabs.Tab value="settings">{t('users.settings')}</Tabs.Tab>
            <Tabs.Tab value="security">{t('users.security')}</Tabs.Tab>
          </Tabs.List>
        </Tabs>
      )}
      {isSettings ? (
        <form id={formId} className={css.form} onSubmit={send} onKeyDown={submitOnKeys} noValidate>
          <DialogContent>
            <FormBanner>{banner}</FormBanner>
            <UserFields form={form} user={user} adminReason={adminReason} />
          </DialogContent>
          <DialogFooter>
            <Button onClick={onClose}>{t('ui.cancel')}</Button>
            <Button type="submit" variant="primary" loading={save.isPending} rightSection={<SubmitKeys />}>
              {t(user === undefined ? 'ui.create' : 'ui.save')}
            </Button>
          </DialogFooter>
        </form>
      ) : (
        <>
          <DialogContent>
            <SecurityTab user={user} isSelf={user.id === viewer.id} />
          </DialogContent>
          <DialogFooter>
            <Button onClick={onClose}>{t('ui.close')}</Button>
          </DialogFooter>
        </>
      )}
    </DialogFrame>
  );
}

function giveAdminReason(user: User | undefined, viewer: CurrentUser): string | undefined {
  if (!viewer.admin) return t('users.adminOnlyByAdmins');
  return user?.id === viewer.id ? t('users.adminOwn') : undefined;
}
