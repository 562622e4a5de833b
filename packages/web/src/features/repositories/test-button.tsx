import { Popover } from '@mantine/core';
import type { Repository } from '@signalbox/contract/repositories';
import { IconCircleCheck, IconCircleX, IconPlugConnected } from '@tabler/icons-react';
import { useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { useTestRepository } from './data.ts';
import css from './test-button.module.css';

/** Lets a runner try the repository, and says what it found right at the button. */
export function TestButton({ projectId, repository }: { projectId: number; repository: Repository }) {
  const test = useTestRepository(projectId);
  const [isOpen, setOpen] = useState(false);
  const handleClick = (): void => {
    setOpen(false);
    test.mutate(repository.id, { onSettled: () => setOpen(true) });
  };
  const isOk = test.data?.ok === true;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-end" width={340} withinPortal>
      <Popover.Target>
        <IconButton
          label={t('repositories.testNamed', { name: repository.name })}
          hint={t('repositories.test')}
          loading={test.isPending}
          onClick={handleClick}
        >
          <IconPlugConnected size={17} stroke={1.7} />
        </IconButton>
      </Popover.Target>
      <Popover.Dropdown>
        <div className={css.result} data-ok={isOk || undefined} role="status">
          {isOk ? <IconCircleCheck size={17} stroke={1.7} /> : <IconCircleX size={17} stroke={1.7} />}
          {isOk ? (
            <div>
              <div className={css.title}>{t('repositories.reached')}</div>
              <div className={css.text}>
                {t('repositories.head')} <code>{test.data?.text.slice(0, 10)}</code>
              </div>
            </div>
          ) : (
            <div className={css.text}>{test.data?.text ?? describeError(test.error)}</div>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}
