import type { SystemState } from '@signalbox/contract/system';
import type { RunnerFacts } from '../../engine/runner-facts.ts';

/** What of the installation does not change while the server runs. */
export type Installation = Pick<
  SystemState,
  'version' | 'auth_methods' | 'web_host' | 'use_remote_runner' | 'premium_features' | 'demo_mode'
>;

export function describeSystem(installation: Installation, facts: RunnerFacts): SystemState {
  const ansible = facts.tools.find(({ name }) => name === 'ansible' || name === 'ansible-playbook');
  return {
    ...installation,
    ansible: ansible?.version.split('\n', 1)[0] ?? '',
    tools: [...facts.tools],
    shared_user: facts.sharedUser,
  };
}
