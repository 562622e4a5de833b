import type { SystemState } from '@signalbox/contract/system';

/** Under which names runners report the tool of an app, where it is not the app's own. */
const toolNames: Record<string, string[]> = {
  ansible: ['ansible', 'ansible-playbook'],
  python: ['python', 'python3'],
  powershell: ['powershell', 'pwsh'],
};

export type ToolState = 'present' | 'missing' | 'no_runner';

/** Whether a runner that is online has the tool of an app. */
export function findTool(system: SystemState, app: string): ToolState {
  if (system.tools.length === 0) return 'no_runner';
  const names = toolNames[app] ?? [app];
  return system.tools.some(({ name }) => names.includes(name)) ? 'present' : 'missing';
}
