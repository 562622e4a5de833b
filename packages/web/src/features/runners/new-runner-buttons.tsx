import { Button } from '@mantine/core';
import { IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { t } from '../../lib/i18n.ts';
import { NewButton } from '../../ui/new-button.tsx';
import type { RunnerPlace } from './data.ts';
import { RegistrationDialog } from './registration-dialog.tsx';

/** The two ways to a new runner: its keys are made here, or it registers itself. */
export function NewRunnerButtons({ projectId }: { projectId: RunnerPlace }) {
  const [isRegistering, setRegistering] = useState(false);
  return (
    <>
      <Button leftSection={<IconTicket size={17} stroke={1.7} />} onClick={() => setRegistering(true)}>
        {t('runners.registration')}
      </Button>
      <NewButton>{t('runners.new')}</NewButton>
      {isRegistering ? <RegistrationDialog projectId={projectId} onClose={() => setRegistering(false)} /> : null}
    </>
  );
}
