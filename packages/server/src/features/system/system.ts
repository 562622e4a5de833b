import type { Health, SystemState } from '@signalbox/contract/system';
import type { Db } from '../../db/database.ts';
import type { RunnerFacts } from '../../engine/runner-facts.ts';
import { canRead } from './queries.ts';

/** What of the installation does not change while the server runs. */
export type Installation = Pick<
  SystemState,
  'version' | 'web_host' | 'use_remote_runner' | 'premium_features' | 'demo_mode'
>;

export function describeSystem(installation: Installation, facts: RunnerFacts): SystemState {
  const ansible = facts.tools.find(({ name }) => name === 'ansible' || name === 'ansible-playbook');
  return {
    ...installation,
    auth_methods: {},
    ansible: ansible?.version.split('\n', 1)[0] ?? '',
    tools: [...facts.tools],
    shared_user: facts.sharedUser,
  };
}

/** Failing: requests cannot be served. Degraded: they can, but tasks wait. */
export async function describeHealth(db: Db, readFacts: () => Promise<RunnerFacts>): Promise<Health> {
  if (!(await canRead(db))) return { status: 'failing', problems: ['The database does not answer'] };
  const problems = [...(await readFacts()).problems];
  return { status: problems.length === 0 ? 'ok' : 'degraded', problems };
}
