import type { LiveLine } from '@signalbox/contract/live';
import { type MouseEvent, memo, type Ref } from 'react';
import { formatDuration, formatExact, parseTime } from '../../lib/dates.ts';
import { t } from '../../lib/i18n.ts';
import { styleLine } from './ansi.ts';
import { formatLineTime } from './line-time.ts';
import css from './log.module.css';
import { type MarkedSegment, markHits } from './mark-hits.ts';
import { computePaintStyle } from './paint-style.ts';
import { isHeading, splitHeading } from './section.ts';

export type LogRowProps = {
  line: number;
  /** Undefined until the line has arrived. */
  record: LiveLine | undefined;
  start: number;
  index: number;
  query: string;
  isCurrentHit: boolean;
  isSelected: boolean;
  /** The line that the log was opened at because it says what went wrong. */
  isError: boolean;
  showTime: boolean;
  /** Duration of the part that the line begins, in milliseconds, rounded by the caller so that the row rests. */
  sectionMs: number | undefined;
  isSectionOver: boolean;
  /** Address of the line. */
  href: string;
  onPick: (line: number, isRange: boolean) => void;
  measure: Ref<HTMLDivElement> | undefined;
};

/** One line of the log. It draws again only when something about this line has changed. */
export const LogRow = memo(function LogRow(props: LogRowProps) {
  const { line, record } = props;
  const handlePick = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.button !== 0) return;
    event.preventDefault();
    props.onPick(line, event.shiftKey);
  };
  return (
    <div
      ref={props.measure}
      className={css.row}
      style={{ top: props.start }}
      data-line={line}
      data-index={props.index}
      data-hit={props.isCurrentHit || undefined}
      data-selected={props.isSelected || undefined}
      data-error={props.isError || undefined}
      data-heading={isHeading(record?.output ?? '') || undefined}
      data-gap={record?.gap}
    >
      <a className={css.number} href={props.href} tabIndex={-1} onClick={handlePick}>
        {line}
      </a>
      {props.showTime ? <LineTime time={record?.time} /> : null}
      {record === undefined ? (
        <span className={css.missing} style={{ width: `${12 + ((line * 37) % 46)}ch` }} />
      ) : (
        <RecordText line={line} record={record} query={props.query} />
      )}
      {props.sectionMs === undefined ? null : (
        <span className={css.duration}>
          {t(props.isSectionOver ? 'log.took' : 'log.runningFor', { duration: formatDuration(props.sectionMs) })}
        </span>
      )}
    </div>
  );
});

function RecordText({ line, record, query }: { line: number; record: LiveLine; query: string }) {
  if (record.gap !== undefined) return <GapText line={line} record={record} count={record.gap} />;
  const { segments, simplified } = styleLine(record.output);
  return (
    <>
      <span className={css.text} data-text data-continued={record.continued}>
        {isHeading(record.output) ? (
          <HeadingText text={record.output} query={query} />
        ) : (
          markHits(segments, query).map(drawSegment)
        )}
      </span>
      {simplified ? (
        <span className={css.note} title={t('log.simplifiedHint')}>
          {t('log.simplified')}
        </span>
      ) : null}
    </>
  );
}

function drawSegment({ text, paint, isHit }: MarkedSegment, index: number) {
  const style = paint === null ? undefined : computePaintStyle(paint);
  if (isHit) {
    return (
      <mark key={index} className={css.mark} style={style}>
        {text}
      </mark>
    );
  }
  return style === undefined ? (
    text
  ) : (
    <span key={index} style={style}>
      {text}
    </span>
  );
}

function HeadingText({ text, query }: { text: string; query: string }) {
  const { title, stars } = splitHeading(text);
  return (
    <>
      {markHits([{ text: title, paint: null }], query).map(drawSegment)}
      <span className={css.stars}>{stars}</span>
    </>
  );
}

function LineTime({ time }: { time: string | undefined }) {
  if (time === undefined) return <span className={css.time} />;
  const ms = parseTime(time);
  return (
    <time className={css.time} dateTime={time} title={formatExact(ms)}>
      {formatLineTime(ms)}
    </time>
  );
}

/** The first line of a gap says why it is there; the others only that they belong to it. */
function GapText({ line, record, count }: { line: number; record: LiveLine; count: number }) {
  if (line !== record.line) return <span className={css.lost} aria-hidden />;
  const last = record.line + count - 1;
  return (
    <span className={css.lostText}>
      {count === 1
        ? t('log.gapOne', { line, reason: record.output })
        : t('log.gap', { from: record.line, to: last, reason: record.output })}
    </span>
  );
}
