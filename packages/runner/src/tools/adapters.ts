import type { Job } from '@signalbox/contract/job';
import type { Adapter } from './adapter.ts';
import { ansible } from './ansible.ts';
import { bash } from './bash.ts';
import { powershell } from './powershell.ts';
import { pulumi } from './pulumi.ts';
import { python } from './python.ts';
import { makeScriptAdapter } from './script.ts';
import { terraform, tofu } from './terraform.ts';

const adapters = new Map<string, Adapter>(
  Object.entries({ ansible, bash, powershell, pulumi, python, terraform, tofu }),
);

/** An app that an administrator has added is an interpreter: its id is its command, unless a path is set. */
export function findAdapter(app: Job['app']): Adapter {
  return adapters.get(app.id) ?? makeScriptAdapter([app.id], []);
}
