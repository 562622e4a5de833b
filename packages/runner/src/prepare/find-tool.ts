import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false; // not there, or not for us
  }
}

/** Absolute path of a program, looked up in the PATH that the tool itself will have; null when it is not installed. */
export function findTool(command: string, path: string): string | null {
  if (command.startsWith('/')) return isExecutable(command) ? command : null;
  if (command.includes('/')) return null;
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, command);
    if (directory.startsWith('/') && isExecutable(candidate)) return candidate;
  }
  return null;
}
