import { useQuery } from '@tanstack/react-query';
import { t } from '../../lib/i18n.ts';
import { usePage } from '../../lib/page.ts';
import { currentUserQuery } from '../../lib/session.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { NoProjectRight } from './no-project-right.tsx';
import { RestoreForm } from './restore-form.tsx';

export function RestoreScreen() {
  const { data: user } = useQuery(currentUserQuery);
  usePage(t('projects.restore'));
  if (user !== undefined && !user.can_create_project && !user.admin) return <NoProjectRight />;
  return (
    <>
      <PageHeader title={t('projects.restore')} />
      <RestoreForm />
    </>
  );
}
