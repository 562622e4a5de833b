import type { TaskParams } from '@signalbox/contract/tasks';
import type { MessageKey } from '../lib/i18n.ts';

export const paramSwitches = [
  'debug',
  'dry_run',
  'diff',
  'plan',
  'destroy',
  'auto_approve',
  'upgrade',
  'reconfigure',
] as const;
type ParamSwitch = (typeof paramSwitches)[number];
export const paramLists = ['limit', 'tags', 'skip_tags'] as const;
type ParamList = (typeof paramLists)[number];
/** The words for each option, wherever it is set or told. */
export const paramTitles: Record<ParamSwitch | ParamList, MessageKey> = {
  debug: 'tasks.debug',
  dry_run: 'tasks.dryRun',
  diff: 'tasks.diff',
  plan: 'tasks.plan',
  destroy: 'tasks.destroy',
  auto_approve: 'tasks.autoApprove',
  upgrade: 'tasks.upgrade',
  reconfigure: 'tasks.reconfigure',
  limit: 'tasks.limit',
  tags: 'tasks.tags',
  skip_tags: 'tasks.skipTags',
};

type Offer = { lists: readonly ParamList[]; switches: readonly ParamSwitch[] };

const ansible: Offer = { lists: paramLists, switches: ['debug', 'dry_run', 'diff'] };
const terraform: Offer = { lists: [], switches: ['plan', 'destroy', 'auto_approve', 'upgrade', 'reconfigure'] };
const nothing: Offer = { lists: [], switches: [] };
const offers: Record<string, Offer> = { ansible, terraform, tofu: terraform };

/** The options that an app has for tasks that a trigger starts: nobody stands by, so all of them can be set. */
export function readParamOffer(app: string): Offer {
  return Object.hasOwn(offers, app) ? (offers[app] ?? nothing) : nothing;
}

/** What is set of the options that the app has, or null: switches that are off and empty lists say nothing. */
export function keepSetParams(app: string, params: TaskParams): TaskParams | null {
  const { lists, switches } = readParamOffer(app);
  const kept: TaskParams = {};
  for (const name of switches) if (params[name] === true) kept[name] = true;
  for (const name of lists) {
    const list = params[name];
    if (list !== undefined && list.length > 0) kept[name] = list;
  }
  return Object.keys(kept).length === 0 ? null : kept;
}
