import { Button } from '@mantine/core';
import { isFinal, type TaskStatus } from '@signalbox/contract/task-state';
import { IconArrowDown } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { usePreference } from '../../lib/preferences.ts';
import { useNow } from '../../lib/use-now.ts';
import { ErrorState } from '../../ui/error-state.tsx';
import { showFailure } from '../../ui/snackbar.ts';
import { FindBox } from './find-box.tsx';
import css from './log.module.css';
import { buildRawUrl, type TaskRef } from './log-ports.ts';
import { LogRows } from './log-rows.tsx';
import { LogToolbar } from './log-toolbar.tsx';
import { useLineLink } from './use-line-link.ts';
import { useLogCopy } from './use-log-copy.ts';
import { useLogFinder } from './use-log-finder.ts';
import { useLogScroll } from './use-log-scroll.ts';
import { useLogSource } from './use-log-source.ts';
import { locateFirstError, useOpening } from './use-opening.ts';

type LogViewProps = TaskRef & { status: TaskStatus };

/** The log of a task, of any length, live while it runs. Fills the height that it is given. */
export function LogView({ projectId, taskId, status }: LogViewProps) {
  const task = { projectId, taskId };
  const source = useLogSource(task);
  const { store } = source;
  const [isWrapped, setWrapped] = usePreference('wrapLog');
  const [showTimes, setShowTimes] = usePreference('logTimes');
  const scroll = useLogScroll(store.total, isWrapped);
  const find = useLogFinder(task, () => scroll.visible.from, store.total);
  const link = useLineLink(scroll.showLine);
  const { handleCopy, pinned } = useLogCopy(scroll.scrollerRef, source, link.span);
  const findRef = useRef<HTMLInputElement>(null);
  const now = useNow(store.sealed ? undefined : 1000);
  const opening = useOpening({
    task,
    source,
    isOpen: source.isOpen,
    status,
    linked: link.span?.from,
    showLine: scroll.showLine,
    followEnd: scroll.followEnd,
  });
  const currentHit = find.state.hits[find.state.current];
  const { from, to } = scroll.visible;

  // After every drawing: with each revision something may be missing again.
  useEffect(() => {
    if (!scroll.isMoving.current) source.want(from, to);
  });
  useEffect(() => {
    if (isFinal(status)) source.finish();
  }, [source, status]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the hit that changes, not the way to show it
  useEffect(() => {
    if (currentHit !== undefined && (currentHit <= from || currentHit >= to)) scroll.showLine(currentHit);
  }, [currentHit]);

  const isShown = opening !== undefined && store.total > 0;
  useEffect(() => {
    const scroller = scroll.scrollerRef.current;
    // Whoever opens a log over another screen wants to read it: its keys work at once.
    if (isShown && scroller?.closest('[role="dialog"]')) scroller.focus({ preventScroll: true, focusVisible: false });
  }, [isShown, scroll.scrollerRef]);

  const handleKey = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    if (event.key === 'f') {
      event.preventDefault();
      findRef.current?.select();
    }
  };
  const handleFirstError = (): void => {
    locateFirstError(task, source, AbortSignal.timeout(20_000)).then((line) => {
      if (line === undefined) showFailure(t('log.noError'));
      else link.pick({ from: line, to: line }, scroll.showLine);
    }, showFailure);
  };

  return (
    <section className={css.log} onKeyDown={handleKey} aria-label={t('log.label')}>
      <LogToolbar
        isWrapped={isWrapped}
        showTimes={showTimes}
        onWrap={() => setWrapped(!isWrapped)}
        onTimes={() => setShowTimes(!showTimes)}
        onFirstError={status === 'error' && store.total > 0 ? handleFirstError : undefined}
        rawUrl={buildRawUrl(task)}
        rawName={`task_${taskId}.log`}
      >
        <FindBox
          ref={findRef}
          text={find.text}
          state={find.state}
          onText={find.setText}
          onNext={() => void find.finder.next()}
          onPrevious={() => find.finder.previous()}
          onClose={() => {
            find.setText('');
            scroll.scrollerRef.current?.focus();
          }}
        />
      </LogToolbar>
      <div className={css.body}>
        {source.isOpen ? null : <Unopened failure={source.failure} onRetry={() => source.retry()} />}
        {source.isOpen && store.total === 0 ? <NoOutput status={status} isSealed={store.sealed} /> : null}
        <div className={css.lines} data-hidden={!isShown || undefined}>
          <LogRows
            store={store}
            scroll={scroll}
            now={now}
            query={find.state.query}
            currentHit={currentHit}
            selected={link.span}
            errorLine={opening?.errorLine}
            isWrapped={isWrapped}
            showTimes={showTimes}
            pinned={pinned}
            onPick={link.handlePick}
            onSelectAll={() => link.pick({ from: 1, to: store.total })}
            onCopy={handleCopy}
          />
        </div>
        <div className={css.floating} onWheel={(event) => scroll.scrollerRef.current?.scrollBy({ top: event.deltaY })}>
          {source.isOpen && source.failure !== undefined ? (
            <div className={css.trouble} role="alert">
              {t('log.cannotLoad', { reason: describeError(source.failure) })}
              <Button variant="subtle" onClick={() => source.retry()}>
                {t('ui.tryAgain')}
              </Button>
            </div>
          ) : null}
          <FollowButton
            isOpen={opening !== undefined}
            isFollowing={scroll.isFollowing}
            isSealed={store.sealed}
            total={store.total}
            onFollow={scroll.followEnd}
          />
        </div>
      </div>
    </section>
  );
}

function Unopened({ failure, onRetry }: { failure: unknown; onRetry: () => void }) {
  if (failure !== undefined) return <ErrorState error={failure} title={t('log.cannotOpen')} onRetry={onRetry} />;
  return (
    <div className={css.loading} role="status" aria-label={t('ui.loading')}>
      {[38, 61, 27, 44, 70, 33, 52, 24, 47].map((width) => (
        <span key={width} className={css.missing} style={{ width: `${width}ch` }} />
      ))}
    </div>
  );
}

function NoOutput({ status, isSealed }: { status: TaskStatus; isSealed: boolean }) {
  const hasEnded = isSealed || isFinal(status);
  return <p className={css.nothing}>{t(hasEnded ? 'log.wroteNothing' : 'log.noOutputYet')}</p>;
}

type FollowButtonProps = {
  isOpen: boolean;
  isFollowing: boolean;
  isSealed: boolean;
  total: number;
  onFollow: () => void;
};

/** Back to the end of a log that grows, with the number of lines that came since the reader left it. */
function FollowButton({ isOpen, isFollowing, isSealed, total, onFollow }: FollowButtonProps) {
  const [left, setLeft] = useState(total);
  // Counting begins where the end was last seen.
  if ((isFollowing || !isOpen) && left !== total) setLeft(total);
  const count = total - left;
  if (!isOpen || isFollowing || (isSealed && count === 0)) return null;
  return (
    <Button
      variant="primary"
      className={css.follow}
      onClick={onFollow}
      leftSection={<IconArrowDown size={17} stroke={1.8} />}
    >
      {count === 0 ? t('log.follow') : t('log.followNew', { count })}
    </Button>
  );
}
