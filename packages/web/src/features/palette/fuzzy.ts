const wordStart = 8;
const adjacent = 6;
const inside = 1;
/** For a word that stands in the text as it was typed. */
const asTyped = 6;
/** Letters that were skipped cost something, but never so much that a hit is none. */
const gapCost = 0.1;

/**
 * How well a text answers what was typed: every word of the query as a row of letters in the text, in any place. Beginnings of
 * words and letters side by side count most. Undefined where a word is not in it.
 */
export function scoreMatch(query: string, text: string): number | undefined {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const folded = fold(text);
  let total = 0;
  for (const word of words) {
    const score = scoreWord(word, folded);
    if (score === undefined) return undefined;
    total += score;
  }
  return total - folded.length * 0.01;
}

/** Case and accents are no difference. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** A whole word counts as such wherever it stands; else the letters are taken from each place where the first one is. */
function scoreWord(word: string, text: string): number | undefined {
  let best: number | undefined;
  for (let from = text.indexOf(word[0] ?? ''); from >= 0; from = text.indexOf(word[0] ?? '', from + 1)) {
    const score = scoreFrom(word, text, from);
    if (score === undefined) break;
    best = Math.max(best ?? score, score);
  }
  return best;
}

function scoreFrom(word: string, text: string, from: number): number | undefined {
  let score = 0;
  let last = -1;
  let at = from;
  for (const letter of word) {
    const found = text.indexOf(letter, at);
    if (found < 0) return undefined;
    if (isWordStart(text, found)) score += wordStart;
    else score += found === last + 1 ? adjacent : inside;
    if (last >= 0) score -= (found - last - 1) * gapCost;
    last = found;
    at = found + letter.length;
  }
  return last - from + 1 === word.length ? score + asTyped : score;
}

function isWordStart(text: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
}
