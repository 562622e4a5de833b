import type { Template } from '@signalbox/contract/templates';
import { IconPlayerPlay } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { t } from '../../lib/i18n.ts';
import { useProjectAccess } from '../../lib/session.ts';
import { GuardedButton } from '../../ui/guarded-button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';

type Running = {
  /** Opens the launch dialog of a template, which the address names as `run`. */
  run: (templateId: number) => void;
  /** Why nothing can be run; undefined when it can. */
  reason: string | undefined;
};

/** For the templates of a project. */
export function useRun(projectId: number): Running {
  const navigate = useNavigate();
  const { can } = useProjectAccess(projectId);
  const run = (templateId: number): void =>
    void navigate({
      to: '.',
      search: (before: Record<string, unknown>) => ({ ...before, run: templateId }),
      resetScroll: false,
    });
  return { run, reason: can('run') ? undefined : t('tasks.needsRun') };
}

/** The button at the end of a row. */
export function RunIcon({ template: { id, name }, run, reason }: Running & { template: Template }) {
  const label = t('templates.runNamed', { name });
  return (
    <IconButton
      label={label}
      hint={t('templates.run')}
      reason={reason}
      variant="default"
      size={28}
      onClick={() => run(id)}
    >
      <IconPlayerPlay size={16} stroke={1.7} />
    </IconButton>
  );
}

/** The one dark button of a template's page. */
export function RunButton({ template }: { template: Template }) {
  const { run, reason } = useRun(template.project_id);
  return (
    <GuardedButton
      reason={reason}
      variant="primary"
      leftSection={<IconPlayerPlay size={17} stroke={1.7} />}
      onClick={() => run(template.id)}
    >
      {t('templates.run')}
    </GuardedButton>
  );
}
