import { type KeyboardEvent, useState } from 'react';
import css from './cron.module.css';

export type Pick = { value: number; label: string; title?: string };

type PickGridProps = {
  label: string;
  /** What an empty choice means, right beside the label. */
  everyLabel: string;
  options: readonly Pick[];
  value: readonly number[];
  /** Options in one line. */
  columns: number;
  onChange: (value: number[]) => void;
};

/** Numbers to pick from, any of them. One stop for the tab key; the arrows go on from there. */
export function PickGrid({ label, everyLabel, options, value, columns, onChange }: PickGridProps) {
  const [stop, setStop] = useState(0);
  const handleKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = Math.min(Math.max(stop + step, 0), options.length - 1);
    setStop(next);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  const toggle = (picked: number): void => {
    const next = value.includes(picked) ? value.filter((other) => other !== picked) : [...value, picked];
    onChange(next.sort((a, b) => a - b));
  };
  return (
    <fieldset className={css.group}>
      <legend>
        {label}
        {value.length === 0 ? <span className={css.every}> · {everyLabel}</span> : null}
      </legend>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the buttons in it */}
      <div className={css.picks} data-columns={columns} onKeyDown={handleKey}>
        {options.map((option, index) => (
          <button
            key={option.value}
            type="button"
            className={css.pick}
            aria-pressed={value.includes(option.value)}
            aria-label={option.title}
            tabIndex={index === Math.min(stop, options.length - 1) ? 0 : -1}
            onFocus={() => setStop(index)}
            onClick={() => toggle(option.value)}
          >
            {option.label}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
