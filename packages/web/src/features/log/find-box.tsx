import { IconChevronDown, IconChevronUp, IconSearch } from '@tabler/icons-react';
import type { KeyboardEvent, Ref } from 'react';
import { describeError } from '../../lib/failure.ts';
import { t } from '../../lib/i18n.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import css from './log.module.css';
import type { FinderState } from './log-finder.ts';

type FindBoxProps = {
  ref: Ref<HTMLInputElement>;
  text: string;
  state: FinderState;
  onText: (text: string) => void;
  onNext: () => void;
  onPrevious: () => void;
  /** Escape: the box is emptied and the log has the focus again. */
  onClose: () => void;
};

export function FindBox({ ref, text, state, onText, onNext, onPrevious, onClose }: FindBoxProps) {
  const handleKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      if (event.shiftKey) onPrevious();
      else onNext();
    } else if (event.key === 'Escape' && text !== '') {
      event.preventDefault();
      onClose();
    }
  };
  const hasHits = state.hits.length > 0;
  return (
    <search className={css.find}>
      <label className={css.findField}>
        <IconSearch size={17} stroke={1.7} aria-hidden />
        <input
          ref={ref}
          type="text"
          value={text}
          maxLength={500}
          spellCheck={false}
          autoComplete="off"
          placeholder={t('log.find')}
          aria-label={t('log.find')}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={handleKey}
          // A dialog around the log closes at Escape too, and asks the field whether it may.
          data-mantine-stop-propagation={text !== '' || undefined}
        />
        <output className={css.count} aria-live="polite" data-failed={state.failure !== undefined || undefined}>
          {describeCount(state)}
        </output>
      </label>
      <IconButton label={t('log.previousHit')} isDisabled={!hasHits} onClick={onPrevious}>
        <IconChevronUp size={17} stroke={1.7} />
      </IconButton>
      <IconButton label={t('log.nextHit')} isDisabled={!hasHits} onClick={onNext}>
        <IconChevronDown size={17} stroke={1.7} />
      </IconButton>
    </search>
  );
}

function describeCount({ query, count, current, failure }: FinderState): string {
  if (query === '') return '';
  if (failure !== undefined) return describeError(failure);
  if (count === undefined) return '…';
  return count === 0 ? t('log.noHits') : t('log.hitOf', { current: current + 1, count });
}
