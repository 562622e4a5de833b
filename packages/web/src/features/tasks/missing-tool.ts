import type { SystemState } from '@signalbox/contract/system';

/** Under which names runners report the tools that they look for. */
const toolNames: Readonly<Record<string, readonly string[]>> = {
  ansible: ['ansible', 'ansible-playbook'],
  terraform: ['terraform'],
  tofu: ['tofu'],
  pulumi: ['pulumi'],
  bash: ['bash'],
  python: ['python', 'python3'],
  powershell: ['powershell', 'pwsh'],
};

export type ToolState = 'present' | 'missing' | 'no_runner';

/** Whether a runner that is online has the tool of an app. Of an operator's own app no runner says anything: it may be there. */
export function findTool(system: SystemState, app: string): ToolState {
  if (system.tools.length === 0) return 'no_runner';
  const names = toolNames[app];
  if (names === undefined) return 'present';
  return system.tools.some(({ name }) => names.includes(name)) ? 'present' : 'missing';
}
