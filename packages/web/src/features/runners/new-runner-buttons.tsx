import { Button } from '@mantine/core';
import { IconPlus, IconTicket } from '@tabler/icons-react';
import { useState } from 'react';
import { useEditing } from '../../lib/dialog-search.ts';
import { t } from '../../lib/i18n.ts';
import type { RunnerPlace } from './data.ts';
import { RegistrationDialog } from './registration-dialog.tsx';

/** The two ways to a new runner: its keys are made here, or it registers itself. */
export function NewRunnerButtons({ projectId }: { projectId: RunnerPlace }) {
  const [, setEditing] = useEditing();
  const [isRegistering, setRegistering] = useState(false);
  return (
    <>
      <Button leftSection={<IconTicket size={17} stroke={1.7} />} onClick={() => setRegistering(true)}>
        {t('runners.registration')}
      </Button>
      <Button variant="primary" leftSection={<IconPlus size={17} stroke={1.7} />} onClick={() => setEditing('new')}>
        {t('runners.new')}
      </Button>
      {isRegistering ? <RegistrationDialog projectId={projectId} onClose={() => setRegistering(false)} /> : null}
    </>
  );
}
