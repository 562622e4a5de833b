import { hostname, platform, userInfo } from 'node:os';
import type { Machine, StrayMode, Tool } from '@signalbox/contract/runner-protocol';
import { findTool } from './prepare/find-tool.ts';
import { runCommand } from './process/run-command.ts';

const timeout = 20_000;

/** Tools that templates may ask for, and how each tells its version. */
const known: { name: string; command: string; args: string[] }[] = [
  { name: 'ansible', command: 'ansible-playbook', args: ['--version'] },
  { name: 'terraform', command: 'terraform', args: ['version'] },
  { name: 'tofu', command: 'tofu', args: ['version'] },
  { name: 'pulumi', command: 'pulumi', args: ['version'] },
  { name: 'bash', command: 'bash', args: ['--version'] },
  { name: 'python', command: 'python3', args: ['--version'] },
  { name: 'powershell', command: 'pwsh', args: ['--version'] },
  { name: 'git', command: 'git', args: ['--version'] },
];

function listTools(path: string): Tool[] {
  return known.flatMap(({ name, command }) => {
    const found = findTool(command, path);
    return found === null ? [] : [{ name, path: found, version: '' }];
  });
}

/** What this machine is to the server. Versions are not known yet: to ask for them takes a second, and tasks may be waiting. */
export function describeMachine(strayMode: StrayMode, path: string): Machine {
  return {
    hostname: hostname(),
    platform: platform(),
    user: userInfo().username,
    stray_mode: strayMode,
    tools: listTools(path),
  };
}

/** Asks each tool for its version, one after the other so that tasks are not held up. */
export async function readVersions(tools: Tool[], env: Record<string, string>, signal: AbortSignal): Promise<Tool[]> {
  const answered: Tool[] = [];
  for (const tool of tools) {
    const args = known.find((candidate) => candidate.name === tool.name)?.args ?? ['--version'];
    answered.push({ ...tool, version: await readVersion(tool.path, args, env, signal) });
  }
  return answered;
}

async function readVersion(
  path: string,
  args: string[],
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<string> {
  try {
    const end = await runCommand(path, args, { cwd: '/', env, signal, timeout });
    return /\d+\.\d+[\w.+-]*/.exec(`${end.stdout}\n${end.stderr}`)?.[0] ?? '';
  } catch {
    return ''; // it is there, but does not say
  }
}

/** For the operator: what of a task's processes is found when it ends. */
export function describeStrayMode(mode: StrayMode): string {
  switch (mode) {
    case 'cgroup':
      return 'Processes that tasks leave behind are found by cgroup: all of them';
    case 'uid':
      return 'Processes that tasks leave behind are found by the user of their slot: all of them';
    case 'scan':
      return 'Processes that tasks leave behind are found by scan: all that can be recognised, daemons without environment not';
  }
}
