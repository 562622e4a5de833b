import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { json, jsonParseLinter } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  StreamLanguage,
  syntaxHighlighting,
  syntaxTree,
} from '@codemirror/language';
import { properties } from '@codemirror/legacy-modes/mode/properties';
import { python } from '@codemirror/legacy-modes/mode/python';
import { shell } from '@codemirror/legacy-modes/mode/shell';
import { type Diagnostic, linter, lintGutter } from '@codemirror/lint';
import { Compartment, EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder as placeholderText } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { type MessageKey, t } from '../lib/i18n.ts';
import { type IniProblem, lintInventory } from './lint-ini.ts';
import { readStyleNonce } from './style-nonce.ts';

export type CodeLanguage = 'json' | 'yaml' | 'ini' | 'shell' | 'python' | 'text';

type CodeMirrorProps = {
  value: string;
  onChange: (value: string) => void;
  language: CodeLanguage;
  isReadOnly: boolean;
  placeholder: string;
  labelledBy: string;
  describedBy: string;
  isInvalid: boolean;
  minHeight: number;
};

// Colours are the tokens, so the editor follows light and dark without being told.
const highlight = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName), tags.attributeName], color: 'var(--running)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--success)' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--confirm)' },
  { tag: [tags.keyword, tags.operator, tags.heading], color: 'var(--accent)' },
  { tag: [tags.comment, tags.meta], color: 'var(--faint)', fontStyle: 'italic' },
  { tag: tags.invalid, color: 'var(--failed)' },
]);

const look = EditorView.theme({
  '&': { fontSize: '12.2px', backgroundColor: 'transparent', maxHeight: '46dvh' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '20px', fontVariantLigatures: 'none' },
  '.cm-content': { padding: '7px 0', caretColor: 'var(--text)' },
  '.cm-line': { padding: '0 10px' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--faint)', border: '0', paddingLeft: '4px' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
  '.cm-placeholder': { color: 'var(--faint)' },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--selected)', outline: '1px solid var(--accent)' },
  '.cm-tooltip': {
    border: '1px solid var(--line)',
    borderRadius: '8px',
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    fontFamily: 'var(--font-text)',
  },
  '.cm-diagnostic-error': { borderLeftColor: 'var(--failed)' },
});

function lintYaml(view: EditorView): Diagnostic[] {
  const found: Diagnostic[] = [];
  syntaxTree(view.state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) found.push({ from, to: Math.max(to, from + 1), severity: 'error', message: t('ui.notYaml') });
    },
  });
  const length = view.state.doc.length;
  return found.map((problem) => ({
    ...problem,
    from: Math.min(problem.from, length),
    to: Math.min(problem.to, length),
  }));
}

const iniWords: Record<IniProblem, MessageKey> = {
  open_section: 'ui.iniOpenSection',
  empty_section: 'ui.iniEmptySection',
  unknown_section: 'ui.iniUnknownSection',
  not_assignment: 'ui.iniNotAssignment',
  not_variable: 'ui.iniNotVariable',
};

function lintIni(view: EditorView): Diagnostic[] {
  return lintInventory(view.state.doc.toString()).map(({ from, to, kind }) => ({
    from,
    to,
    severity: 'error',
    message: t(iniWords[kind]),
  }));
}

function extendWith(language: CodeLanguage): Extension {
  switch (language) {
    case 'json': {
      const parse = jsonParseLinter();
      return [json(), linter((view) => (view.state.doc.toString().trim() === '' ? [] : parse(view))), lintGutter()];
    }
    case 'yaml':
      return [yaml(), linter(lintYaml), lintGutter()];
    case 'ini':
      return [StreamLanguage.define(properties), linter(lintIni), lintGutter()];
    case 'shell':
      return StreamLanguage.define(shell);
    case 'python':
      return StreamLanguage.define(python);
    case 'text':
      return [];
  }
}

/**
 * Typing over a selection is done here and not by the browser: it would keep the look of what was there, colours and marks, with
 * a styled element, which the Content-Security-Policy refuses and reports. What is replaced is asked of the browser: the
 * editor may not have heard of the selection yet.
 */
const replaceSelected = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const isText = event.inputType === 'insertText' && event.data !== null && !event.isComposing;
    const selection = document.getSelection();
    if (!isText || selection === null || selection.isCollapsed || view.state.readOnly) return false;
    event.preventDefault();
    const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0);
    const from = view.posAtDOM(startContainer, startOffset);
    const to = view.posAtDOM(endContainer, endOffset);
    view.dispatch({
      changes: { from, to, insert: event.data },
      selection: { anchor: from + event.data.length },
      userEvent: 'input.type',
      scrollIntoView: true,
    });
    return true;
  },
});

type Description = Pick<CodeMirrorProps, 'labelledBy' | 'describedBy' | 'isInvalid'>;

function describe({ labelledBy, describedBy, isInvalid }: Description): Extension {
  return EditorView.contentAttributes.of({
    'aria-labelledby': labelledBy,
    'aria-describedby': describedBy,
    'aria-invalid': String(isInvalid),
  });
}

/** The editor itself. What the reader types is the caller's value; a value from outside replaces the text. */
export function CodeMirror(props: CodeMirrorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef(props);
  const changing = useRef({ language: new Compartment(), rights: new Compartment(), words: new Compartment() });
  latest.current = props;

  useEffect(() => {
    const parent = place.current;
    if (parent === null) return;
    const { language, rights, words } = changing.current;
    const first = latest.current;
    const editor = new EditorView({
      parent,
      state: EditorState.create({
        doc: first.value,
        extensions: [
          EditorView.cspNonce.of(readStyleNonce()),
          lineNumbers(),
          history(),
          indentOnInput(),
          indentUnit.of('  '),
          bracketMatching(),
          syntaxHighlighting(highlight),
          look,
          replaceSelected,
          EditorView.theme({ '.cm-content': { minHeight: `${first.minHeight}px` } }),
          placeholderText(first.placeholder),
          // Tab indents as long as the editor was not left with Escape first, so that the keyboard is never trapped.
          keymap.of([...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'), ...historyKeymap, indentWithTab]),
          language.of(extendWith(first.language)),
          rights.of(EditorState.readOnly.of(first.isReadOnly)),
          words.of(describe(first)),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === props.value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: props.value } });
  }, [props.value]);

  useEffect(() => {
    const { language } = changing.current;
    view.current?.dispatch({ effects: language.reconfigure(extendWith(props.language)) });
  }, [props.language]);

  const { isReadOnly, labelledBy, describedBy, isInvalid } = props;
  useEffect(() => {
    const { rights, words } = changing.current;
    const effects = [
      rights.reconfigure(EditorState.readOnly.of(isReadOnly)),
      words.reconfigure(describe({ labelledBy, describedBy, isInvalid })),
    ];
    view.current?.dispatch({ effects });
  }, [isReadOnly, labelledBy, describedBy, isInvalid]);

  return <div ref={place} />;
}
