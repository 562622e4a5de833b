import { type RefObject, useRef, useState } from 'react';
import { useRefusal } from '../../lib/use-refusal.ts';
import { findTemplateProblems, listTemplateTitles, type TemplateDraft } from './template-draft.ts';

export type TemplateForm = {
  draft: TemplateDraft;
  errors: Record<string, string>;
  /** What the server refused as a whole. */
  banner: string | undefined;
  isDirty: boolean;
  /** Around the fields, to find the first one that is wrong. */
  fieldsRef: RefObject<HTMLDivElement | null>;
  change: (part: Partial<TemplateDraft>) => void;
  submit: () => void;
};

/** The state of a template's form, whether it stands in a page or in a dialog. */
export function useTemplateForm(
  start: TemplateDraft,
  error: unknown,
  onSubmit: (draft: TemplateDraft) => void,
): TemplateForm {
  const [draft, setDraft] = useState(start);
  const [errors, setErrors] = useState<Record<string, string>>({});
  const fieldsRef = useRef<HTMLDivElement>(null);
  const banner = useRefusal(error, listTemplateTitles(draft.app), setErrors);
  const change = (part: Partial<TemplateDraft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    // What was wrong is looked at again with every change, and only then.
    if (Object.keys(errors).length > 0) setErrors(findTemplateProblems(next));
  };
  const submit = (): void => {
    const problems = findTemplateProblems(draft);
    setErrors(problems);
    if (Object.keys(problems).length === 0) onSubmit(draft);
    // To the first field that is wrong; it may be far above the button.
    else requestAnimationFrame(() => fieldsRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };
  return { draft, errors, banner, isDirty: draft !== start, fieldsRef, change, submit };
}
