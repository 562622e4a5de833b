// Finds the Node 26 that npm installed, so that every script runs its children on it, whatever runs the script itself.
// Plain JavaScript that Node 20 understands: `npm start` on a fresh clone begins here.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const MODULES = path.join(ROOT, 'node_modules');

/**
 * The program of Node 26 for this machine, or undefined while it is not installed.
 * @returns {string | undefined}
 */
export function findNode26() {
  const installed = path.join(MODULES, `node-linux-${process.arch}`, 'bin', 'node');
  if (existsSync(installed)) return installed;
  const major = Number.parseInt(process.versions.node, 10);
  return major >= 26 ? process.execPath : undefined;
}

/**
 * The program of Node 26; throws a sentence that says what to do when there is none.
 * @returns {string}
 */
export function requireNode26() {
  const found = findNode26();
  if (found !== undefined) return found;
  throw new Error(
    `Node 26 is not installed for ${process.platform} on ${process.arch}: ` +
      'it comes as an optional npm package for Linux on x64 and arm64. Elsewhere, install Node 26 and put it first in PATH.',
  );
}

/**
 * An environment in which `node` is Node 26 and the programs of our npm packages are found.
 * @param {Record<string, string>} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function buildEnvironment(extra = {}) {
  const folders = [path.dirname(requireNode26()), path.join(MODULES, '.bin'), process.env.PATH ?? ''];
  return { ...process.env, PATH: folders.join(path.delimiter), ...extra };
}

/**
 * Where an installed npm program is.
 * @param {string} name
 * @returns {string}
 */
export function findProgram(name) {
  return path.join(MODULES, '.bin', name);
}
