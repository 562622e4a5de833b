import { Button } from '@mantine/core';
import { IconAlertCircle, IconClock, IconDownload, IconTextWrap } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { t } from '../../lib/i18n.ts';
import css from './log.module.css';

type LogToolbarProps = {
  children: ReactNode;
  isWrapped: boolean;
  showTimes: boolean;
  onWrap: () => void;
  onTimes: () => void;
  /** Absent where the task did not fail. */
  onFirstError: (() => void) | undefined;
  rawUrl: string;
  rawName: string;
};

/** Finding at the left, how the lines are shown at the right. */
export function LogToolbar(props: LogToolbarProps) {
  return (
    <div className={css.toolbar}>
      {props.children}
      <div className={css.tools}>
        {props.onFirstError === undefined ? null : (
          <Tool
            label={t('log.firstError')}
            onClick={props.onFirstError}
            icon={<IconAlertCircle size={17} stroke={1.7} />}
          />
        )}
        <Tool
          label={t('log.times')}
          hint={t('log.timesHint')}
          isOn={props.showTimes}
          onClick={props.onTimes}
          icon={<IconClock size={17} stroke={1.7} />}
        />
        <Tool
          label={t('log.wrap')}
          hint={t('log.wrapHint')}
          isOn={props.isWrapped}
          onClick={props.onWrap}
          icon={<IconTextWrap size={17} stroke={1.7} />}
        />
        <Button
          component="a"
          href={props.rawUrl}
          download={props.rawName}
          variant="subtle"
          className={css.tool}
          title={t('log.rawHint')}
          leftSection={<IconDownload size={17} stroke={1.7} />}
        >
          {t('log.raw')}
        </Button>
      </div>
    </div>
  );
}

type ToolProps = { label: string; hint?: string; icon: ReactNode; isOn?: boolean; onClick: () => void };

function Tool({ label, hint, icon, isOn, onClick }: ToolProps) {
  return (
    <Button
      variant="subtle"
      className={css.tool}
      leftSection={icon}
      onClick={onClick}
      title={hint}
      aria-pressed={isOn}
      data-on={isOn || undefined}
    >
      {label}
    </Button>
  );
}
