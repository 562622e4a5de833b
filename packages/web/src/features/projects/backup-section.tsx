import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { FormBanner } from '../../ui/form-banner.tsx';
import { showSuccess } from '../../ui/snackbar.ts';
import { useBackupDownload } from './data.ts';
import css from './projects.module.css';

export function BackupSection({ projectId }: { projectId: number }) {
  const download = useBackupDownload(projectId, () => showSuccess(t('projects.exported')));
  return (
    <section className={css.section} aria-labelledby="backup">
      <h2 id="backup">{t('projects.backup')}</h2>
      <p>{t('projects.backupText')}</p>
      <FormBanner>{download.error === null ? undefined : describeError(download.error)}</FormBanner>
      <Button
        leftSection={<IconDownload size={17} stroke={1.7} />}
        disabled={download.isPending}
        onClick={() => download.mutate()}
      >
        {t(download.isPending ? 'projects.downloading' : 'projects.download')}
      </Button>
    </section>
  );
}
