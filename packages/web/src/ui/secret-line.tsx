import { CopyButton } from './copy-button.tsx';
import css from './secret-line.module.css';

type SecretLineProps = {
  label: string;
  text: string;
  /** What is shown of it, where that is not all. */
  shown?: string;
  copyLabel: string;
  copied: string;
  wordFailure?: (reason: string) => string;
};

/** A secret that is shown once, with a button that copies all of it. */
export function SecretLine({ label, text, shown = text, copyLabel, copied, wordFailure }: SecretLineProps) {
  return (
    <div>
      <div className={css.label}>{label}</div>
      <div className={css.line}>
        <code className={css.text}>{shown}</code>
        <CopyButton
          text={text}
          label={copyLabel}
          done={copied}
          {...(wordFailure === undefined ? {} : { wordFailure })}
        />
      </div>
    </div>
  );
}
