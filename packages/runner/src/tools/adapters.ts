import type { Job } from '@signalbox/contract/job';
import { TaskFailure } from '../task-failure.ts';
import type { Adapter } from './adapter.ts';
import { ansible } from './ansible.ts';
import { bash } from './bash.ts';
import { python } from './python.ts';
import { makeScriptAdapter } from './script.ts';

const adapters: Record<string, Adapter> = { ansible, bash, python };
/** Known to the console already; their adapters are not there yet. */
const later = ['terraform', 'tofu', 'pulumi', 'powershell'];

/** An app that an administrator has added is an interpreter: its id is its command, unless a path is set. */
export function findAdapter(app: Job['app']): Adapter {
  if (later.includes(app.id)) throw new TaskFailure(`This runner cannot run ${app.id} yet`);
  return adapters[app.id] ?? makeScriptAdapter(app.id, []);
}
