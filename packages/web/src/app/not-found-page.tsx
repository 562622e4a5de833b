import { Button } from '@mantine/core';
import { IconRouteOff } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../lib/i18n.ts';
import { usePage } from '../lib/page.ts';
import { MessagePanel } from '../ui/message-panel.tsx';

export function NotFoundPage() {
  const navigate = useNavigate();
  usePage(t('app.notFound'));
  return (
    <MessagePanel
      icon={<IconRouteOff size={19} stroke={1.6} />}
      title={t('app.notFound')}
      action={<Button onClick={() => void navigate({ to: '/', search: {} })}>{t('app.toStart')}</Button>}
    >
      {t('app.notFoundText')}
    </MessagePanel>
  );
}
