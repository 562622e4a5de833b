import { describe, expect, test } from 'vitest';
import { scoreMatch } from './fuzzy.ts';

const rank = (query: string, texts: readonly string[]): string[] =>
  texts
    .map((text) => ({ text, score: scoreMatch(query, text) }))
    .filter((entry): entry is { text: string; score: number } => entry.score !== undefined)
    .toSorted((one, other) => other.score - one.score)
    .map(({ text }) => text);

describe('what is typed', () => {
  test('finds letters in their order, and nothing without them', () => {
    expect(rank('dpl', ['Deploy', 'Display', 'Plan'])).toEqual(['Deploy', 'Display']);
  });

  test('finds initials before letters inside of words', () => {
    expect(rank('da', ['Update all', 'Deploy api'])).toEqual(['Deploy api', 'Update all']);
  });

  test('finds words in any order', () => {
    expect(rank('api deploy', ['Deploy the API', 'Deploy the site'])).toEqual(['Deploy the API']);
  });

  test('knows neither case nor accents', () => {
    expect(rank('fahrplane', ['Fahrpläne'])).toEqual(['Fahrpläne']);
  });

  test('prefers the word itself, and of two like that the shorter text', () => {
    expect(rank('team', ['Task that can empty a machine', 'Team of the site', 'Team'])).toEqual([
      'Team',
      'Team of the site',
      'Task that can empty a machine',
    ]);
  });

  test('finds a task by its number', () => {
    expect(rank('#12', ['#12 Deploy', '#21 Deploy', '#123 Build'])).toEqual(['#12 Deploy', '#123 Build']);
  });

  test('that is nothing matches everything', () => {
    expect(rank(' ', ['a', 'b'])).toHaveLength(2);
  });

  test('is found in a long text of one letter in no time worth speaking of', () => {
    expect(scoreMatch('a'.repeat(50), 'a'.repeat(200))).toBeGreaterThan(0);
  });
});
