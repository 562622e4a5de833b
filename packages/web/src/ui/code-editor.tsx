import { lazy, type ReactNode, Suspense, useId } from 'react';
import { t } from '../lib/i18n.ts';
import css from './code-editor.module.css';
import type { CodeLanguage } from './code-mirror.tsx';

const CodeMirror = lazy(async () => ({ default: (await import('./code-mirror.tsx')).CodeMirror }));

export type CodeEditorProps = {
  label: string;
  /** The label is read out but not shown: it stands somewhere else already. */
  isLabelHidden?: boolean;
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  description?: string;
  error?: ReactNode;
  isRequired?: boolean;
  isReadOnly?: boolean;
  placeholder?: string;
  /** Rows of its smallest height; it grows with its text up to three times that. */
  rows?: number;
};

const LINE_PX = 20;

/** Field for JSON, YAML, INI or shell text. The editor itself is loaded when the first one is shown. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, description, error, rows = 7 } = props;
  const id = useId();
  const height = rows * LINE_PX + 16;
  return (
    <div>
      <div id={`${id}-label`} className={css.label} data-hidden={props.isLabelHidden || undefined}>
        {label}
        {props.isRequired ? <span className={css.required}> *</span> : null}
      </div>
      <div className={css.frame} data-error={error !== undefined || undefined} style={{ minHeight: height }}>
        <Suspense fallback={<div className={css.loading}>{t('ui.editorLoading')}</div>}>
          <CodeMirror
            value={props.value}
            onChange={props.onChange}
            language={props.language}
            isReadOnly={props.isReadOnly ?? false}
            placeholder={props.placeholder ?? ''}
            labelledBy={`${id}-label`}
            describedBy={`${id}-hint`}
            isInvalid={error !== undefined}
            minHeight={height}
          />
        </Suspense>
      </div>
      <div id={`${id}-hint`}>
        {error === undefined ? null : <div className={css.error}>{error}</div>}
        {description === undefined ? null : <div className={css.description}>{description}</div>}
      </div>
    </div>
  );
}
