import type { View } from '@signalbox/contract/views';
import { describe, expect, it } from 'vitest';
import { newView, planViews } from './view-draft.ts';

const stored: View[] = ['Production', 'Staging', 'CI'].map((title, position) => ({
  id: position + 1,
  project_id: 1,
  title,
  position,
}));
const same = stored.map(({ id, title }) => ({ id, title }));
const [production, staging, ci] = same as [(typeof same)[0], (typeof same)[0], (typeof same)[0]];

describe('saving the views of a project', () => {
  it('sends nothing when nothing was changed', () => {
    expect(planViews(stored, same)).toEqual({ added: [], renamed: [], removed: [], order: [1, 2, 3], isMoved: false });
  });

  it('gives every new view a negative id of its own', () => {
    const ids = [newView().id, newView().id];
    expect(ids.every((id) => id < 0)).toBe(true);
    expect(new Set(ids).size).toBe(2);
  });

  it('adds new views and leaves out those without a title', () => {
    const plan = planViews(stored, [...same, { id: -1, title: ' Reports ' }, { id: -2, title: '  ' }]);
    expect(plan).toMatchObject({ added: [{ id: -1, title: 'Reports' }], order: [1, 2, 3, -1], isMoved: false });
  });

  it('does not save an empty title of a stored view', () => {
    const plan = planViews(stored, [{ ...production, title: ' ' }, { ...staging, title: 'Test' }, ci]);
    expect(plan).toMatchObject({ renamed: [{ id: 2, title: 'Test' }], removed: [] });
  });

  it('removes what is no longer there', () => {
    expect(planViews(stored, [production, ci])).toMatchObject({ removed: [2], order: [1, 3], isMoved: false });
  });

  it('sends positions when the order is another one', () => {
    expect(planViews(stored, [ci, production, staging])).toMatchObject({ order: [3, 1, 2], isMoved: true });
    expect(planViews(stored, [{ id: -1, title: 'First' }, ...same])).toMatchObject({
      order: [-1, 1, 2, 3],
      isMoved: true,
    });
  });

  it('makes no view twice when an earlier attempt has made it', () => {
    const plan = planViews(stored, [...same, { id: -1, title: 'Reports' }], new Map([[-1, 9]]));
    expect(plan).toMatchObject({ added: [], order: [1, 2, 3, 9] });
  });
});
