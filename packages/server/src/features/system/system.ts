import type { Tool } from '@signalbox/contract/runner-protocol';
import type { Health, SystemState } from '@signalbox/contract/system';
import type { Db } from '../../db/database.ts';
import { canRead } from './queries.ts';

/** What of the installation does not change while the server runs. */
export type Installation = Pick<
  SystemState,
  'version' | 'web_host' | 'use_remote_runner' | 'premium_features' | 'demo_mode'
>;

/** What the engine knows of the runners that are online. */
export type RunnerFacts = {
  readonly tools: readonly Tool[];
  /** Server and tasks run as one user of the operating system. */
  readonly sharedUser: boolean;
  /** One sentence a problem, such as that no runner is online. */
  readonly problems: readonly string[];
};

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
export async function describeHealth(db: Db, facts: RunnerFacts): Promise<Health> {
  if (!(await canRead(db))) return { status: 'failing', problems: ['The database does not answer'] };
  const problems = [...facts.problems];
  return { status: problems.length === 0 ? 'ok' : 'degraded', problems };
}
