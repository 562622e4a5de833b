import { Button } from '@mantine/core';
import { IconHistory } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { EmptyState } from '../../ui/empty-state.tsx';

type EmptyHistoryProps = {
  projectId: number;
  isOlderPart: boolean;
  /** Takes the filter away that left nothing; undefined without one. */
  onShowAll: (() => void) | undefined;
};

const icon = <IconHistory size={19} stroke={1.6} />;

export function EmptyHistory({ projectId, isOlderPart, onShowAll }: EmptyHistoryProps) {
  const navigate = useNavigate();
  if (onShowAll !== undefined) {
    const showAll = <Button onClick={onShowAll}>{t('history.showAll')}</Button>;
    return <EmptyState icon={icon} title={t('history.noneOfStatus')} action={showAll} />;
  }
  if (isOlderPart) return <EmptyState icon={icon} title={t('history.noOlder')} />;
  const toTemplates = (): void =>
    void navigate({ to: '/project/$projectId/templates', params: { projectId: String(projectId) }, search: {} });
  return (
    <EmptyState
      icon={icon}
      title={t('history.emptyTitle')}
      action={
        <Button variant="primary" onClick={toTemplates}>
          {t('history.toTemplates')}
        </Button>
      }
    >
      {t('history.emptyText')}
    </EmptyState>
  );
}
