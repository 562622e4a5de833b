import type { Template } from '@signalbox/contract/templates';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

/** Opens the launch dialog of a template, which the address names as `run`. */
function useRun(template: Template): { run: () => void; reason: string | undefined } {
  const navigate = useNavigate();
  const { can } = useProjectAccess(template.project_id);
  const run = (): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, run: template.id }),
      resetScroll: false,
    });
  return { run, reason: can('run') ? undefined : t('tasks.needsRun') };
}

/** The button at the end of a row. */
export function RunIcon({ template }: { template: Template }) {
  const { run, reason } = useRun(template);
  const label = t('templates.runNamed', { name: template.name });
  return (
    <IconButton label={label} hint={t('templates.run')} reason={reason} variant="default" size={28} onClick={run}>
      <IconPlayerPlay size={16} stroke={1.7} />
    </IconButton>
  );
}

/** The one dark button of a template's page. */
export function RunButton({ template }: { template: Template }) {
  const { run, reason } = useRun(template);
  return (
    <GuardedButton
      reason={reason}
      variant="primary"
      leftSection={<IconPlayerPlay size={17} stroke={1.7} />}
      onClick={run}
    >
      {t('templates.run')}
    </GuardedButton>
  );
}
