import { describe, expect, it } from 'vitest';
import { LogFinder, type SearchPort } from './log-finder.ts';

/** A log in which the given lines match; the server answers at most `page` of them at a time. */
function openFinder(
  hits: number[],
  page = 1000,
): { finder: LogFinder; asked: number[]; grow: (more: number[]) => void } {
  const asked: number[] = [];
  const search: SearchPort = async (_query, after) => {
    asked.push(after);
    return {
      lines: hits.filter((line) => line > after).slice(0, page),
      count: hits.length,
      total: Math.max(0, ...hits),
    };
  };
  return { finder: new LogFinder(search), asked, grow: (more) => hits.push(...more) };
}

const currentLine = (finder: LogFinder) => finder.state.hits[finder.state.current];

describe('finding', () => {
  it('begins at the first hit at or below the line that is on top', async () => {
    const { finder } = openFinder([3, 40, 90]);
    await finder.find('x', 40);
    expect([currentLine(finder), finder.state.count]).toEqual([40, 3]);
  });

  it('begins at the first hit when there is none below', async () => {
    const { finder } = openFinder([3, 40]);
    await finder.find('x', 50);
    expect(currentLine(finder)).toBe(3);
  });

  it('says so when nothing is found', async () => {
    const { finder } = openFinder([]);
    await finder.find('x', 1);
    expect(finder.state).toMatchObject({ hits: [], count: 0, current: -1, isBusy: false });
    await finder.next();
    finder.previous();
    expect(finder.state.current).toBe(-1);
  });

  it('goes round in both directions', async () => {
    const { finder } = openFinder([1, 2, 3]);
    await finder.find('x', 1);
    finder.previous();
    expect(currentLine(finder)).toBe(3);
    await finder.next();
    expect(currentLine(finder)).toBe(1);
  });

  it('asks for further hits when it comes to the last known one', async () => {
    const { finder, asked } = openFinder([1, 2, 3, 4, 5], 2);
    await finder.find('x', 1);
    for (let step = 0; step < 4; step += 1) await finder.next();
    expect([currentLine(finder), asked]).toEqual([5, [0, 2, 4]]);
    await finder.next();
    expect(currentLine(finder)).toBe(1);
  });

  it('does not jump to an end that it does not know', async () => {
    const { finder } = openFinder([1, 2, 3], 2);
    await finder.find('x', 1);
    finder.previous();
    expect(currentLine(finder)).toBe(1);
  });

  it('finds what a running task writes meanwhile and stays where it is', async () => {
    const { finder, grow } = openFinder([10, 20]);
    await finder.find('x', 15);
    grow([30, 40]);
    await finder.refresh(40);
    expect([currentLine(finder), finder.state.count, finder.state.hits]).toEqual([20, 4, [10, 20, 30, 40]]);
  });

  it('finds the first hit when it is written later', async () => {
    const { finder, grow } = openFinder([]);
    await finder.find('x', 1);
    grow([7]);
    await finder.refresh(7);
    expect(currentLine(finder)).toBe(7);
  });

  it('does not ask again while the log stands still', async () => {
    const { finder, asked } = openFinder([10]);
    await finder.find('x', 1);
    await finder.refresh(10);
    expect(asked).toEqual([0]);
  });

  it('drops the answer to a text that was changed meanwhile', async () => {
    const answers: ((lines: number[]) => void)[] = [];
    const finder = new LogFinder(
      () => new Promise((resolve) => answers.push((lines) => resolve({ lines, count: lines.length, total: 100 }))),
    );
    const first = finder.find('a', 1);
    const second = finder.find('ab', 1);
    answers[1]?.([5]);
    await second;
    answers[0]?.([1, 2, 3]);
    await first;
    expect(finder.state).toMatchObject({ query: 'ab', hits: [5], count: 1 });
  });

  it('keeps the failure and finds again afterwards', async () => {
    let isFailing = true;
    const finder = new LogFinder(async () => {
      if (isFailing) throw new Error('gone');
      return { lines: [1], count: 1, total: 1 };
    });
    await finder.find('x', 1);
    expect(finder.state).toMatchObject({ isBusy: false, failure: new Error('gone') });
    isFailing = false;
    await finder.find('x', 1);
    expect(finder.state).toMatchObject({ hits: [1], failure: undefined });
  });
});
