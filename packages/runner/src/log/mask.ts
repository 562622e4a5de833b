import { listSecretForms } from './secret-forms.ts';

const stars = '***';

/** What is looked for: made once for a task, shared by its streams. */
export class SecretSearch {
  /** null when there is nothing to hide. */
  readonly expression: RegExp | null;
  readonly longest: number;
  /** Forms by the character that they begin with, longest first. */
  readonly #byFirst = new Map<string, string[]>();

  constructor(secrets: Iterable<string>) {
    const forms = listSecretForms(secrets);
    this.longest = forms[0]?.length ?? 0;
    this.expression = forms.length === 0 ? null : new RegExp(forms.map((form) => RegExp.escape(form)).join('|'), 'g');
    for (const form of forms) {
      const first = form.charAt(0);
      const group = this.#byFirst.get(first);
      if (group === undefined) this.#byFirst.set(first, [form]);
      else group.push(form);
    }
  }

  /** Where the earliest tail begins that could grow into a secret; the length of the text when there is none. */
  findHeldBack(text: string): number {
    for (let start = Math.max(0, text.length - this.longest + 1); start < text.length; start += 1) {
      const group = this.#byFirst.get(text.charAt(start));
      if (group !== undefined && this.#canGrow(group, text, start)) return start;
    }
    return text.length;
  }

  #canGrow(group: string[], text: string, start: number): boolean {
    const length = text.length - start;
    const tail = text.slice(start);
    for (const form of group) {
      if (form.length <= length) return false;
      if (form.startsWith(tail)) return true;
    }
    return false;
  }
}

/**
 * Masks a stream of latin1 text, whatever its cuts. Secrets that overlap are hidden as one, so that no end of the second one is
 * left over; what may be the beginning of a secret is held back until the text goes on.
 */
export class Mask {
  readonly #search: SecretSearch;
  #held = '';
  /** Characters at the beginning of what is held that belong to a secret whose stars are out already. */
  #coveredAhead = 0;

  constructor(search: SecretSearch) {
    this.#search = search;
  }

  push(text: string): string {
    if (this.#search.expression === null) return text;
    const whole = this.#held === '' ? text : this.#held + text;
    return this.#release(whole, this.#search.findHeldBack(whole));
  }

  /** The rest, when nothing follows. */
  end(): string {
    if (this.#held === '') return '';
    return this.#release(this.#held, this.#held.length);
  }

  #release(whole: string, end: number): string {
    const expression = this.#search.expression;
    this.#held = whole.slice(end);
    if (expression === null) return whole;
    expression.lastIndex = 0;
    let found = expression.exec(whole);
    if (found === null && this.#coveredAhead === 0) return end === whole.length ? whole : whole.slice(0, end);
    let masked = '';
    let covered = this.#coveredAhead;
    while (found !== null) {
      const start = found.index;
      if (start >= end) break;
      // What is covered already has its stars.
      if (start >= covered) masked += whole.slice(covered, start) + stars;
      covered = Math.max(covered, start + found[0].length);
      // One character on, not at its end: another secret may begin inside of this one.
      expression.lastIndex = start + 1;
      found = expression.exec(whole);
    }
    if (covered < end) masked += whole.slice(covered, end);
    this.#coveredAhead = Math.max(0, covered - end);
    return masked;
  }
}

/** Masks one latin1 text that is whole in itself. */
export function maskText(search: SecretSearch, text: string): string {
  const mask = new Mask(search);
  return mask.push(text) + mask.end();
}

/** The same for ordinary text: a reason, an answer. */
export function maskSentence(search: SecretSearch, text: string): string {
  const latin1 = Buffer.from(text, 'utf8').toString('latin1');
  return Buffer.from(maskText(search, latin1), 'latin1').toString('utf8');
}
