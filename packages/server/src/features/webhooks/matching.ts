import type { Verdict } from '@signalbox/contract/deliveries';
import type { Matcher } from '@signalbox/contract/integration-matchers';
import type { ExtractedValue } from '@signalbox/contract/integration-values';
import type { Content } from './call.ts';
import { findByPath, nothing, toText } from './key-path.ts';

export type Rule = Omit<Matcher, 'id' | 'integration_id'>;
export type Extraction = Omit<ExtractedValue, 'id' | 'integration_id'>;
export type MatcherVerdict = Verdict['matchers'][number];

/** Looks at every matcher, also after one that does not hold: the verdict shows them all. */
export function checkMatchers(matchers: readonly Rule[], content: Content): MatcherVerdict[] {
  return matchers.map((matcher) => {
    const { name, match_type, method, key, value: expected, body_data_type } = matcher;
    const actual = readText(content, match_type, body_data_type, key) ?? nothing;
    return { name, match_type, method, key, expected, actual, matched: holds(method, actual, expected) };
  });
}

function holds(method: Rule['method'], actual: string, expected: string): boolean {
  switch (method) {
    case 'equals':
      return actual === expected;
    case 'unequals':
      return actual !== expected;
    case 'contains':
      return actual.includes(expected);
  }
}

export type Extracted = { readonly name: string; readonly variable: string; readonly text: string | undefined };

/** The texts that become variables. What a store or a command line could not carry is replaced by U+FFFD. */
export function extractValues(values: readonly Extraction[], content: Content): Extracted[] {
  return values.map(({ name, variable, value_source, body_data_type, key }) => {
    const text = readText(content, value_source, body_data_type, key);
    return { name, variable, text: text?.toWellFormed().replaceAll('\0', '\uFFFD') };
  });
}

/** A header that is not there is an empty text; a member of the body that is not there is none. */
function readText(
  { headers, text, document }: Content,
  source: Rule['match_type'],
  format: Rule['body_data_type'],
  key: string,
): string | undefined {
  if (source === 'header') {
    const name = key.toLowerCase();
    return Object.hasOwn(headers, name) ? headers[name] : '';
  }
  return format === 'string' ? text : toText(findByPath(document, key));
}
