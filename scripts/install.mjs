// Brings node_modules to what package-lock.json says, and knows in a millisecond when it already is.
// Plain JavaScript that Node 20 understands, with no npm package: it runs before there is one.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './node-26.mjs';
import { runProgram } from './run.mjs';

const STAMP = path.join(ROOT, 'node_modules/.signalbox-stamp');
const DEPENDENCY_FIELDS = ['workspaces', 'dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean }} LockEntry */

/**
 * Installs the npm packages if they are missing or not those of the lock file.
 * @returns {Promise<void>}
 */
export async function installPackages() {
  const wanted = fingerprintPackages();
  if (readText(STAMP) === wanted) return;
  if (!isLockInstalled()) {
    console.log('Installing the npm packages (once, about half a minute)…');
    // An outer NODE_ENV=production or omit setting must not leave out what builds and tests need.
    const args = ['ci', '--no-audit', '--no-fund', '--include=dev', '--include=optional', '--engine-strict=false'];
    // No package of ours reports an installation to anybody.
    const env = { ...process.env, PATH: findSystemPath(), SCARF_ANALYTICS: 'false', DO_NOT_TRACK: '1' };
    const { code, output } = await runProgram('npm', args, { env });
    if (code !== 0) throw new Error(`npm ci failed with exit code ${code}:\n${output}`);
  }
  writeFileSync(STAMP, wanted);
}

/** npm may not run on the Node that it is about to replace. */
function findSystemPath() {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.filter((folder) => !folder.startsWith(path.join(ROOT, 'node_modules'))).join(path.delimiter);
}

/** A hash of the lock file and of what every package.json says about dependencies. */
function fingerprintPackages() {
  const hash = createHash('sha256').update(readText(path.join(ROOT, 'package-lock.json')) ?? '');
  const packages = readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}`);
  for (const folder of ['.', 'e2e', 'bench', ...packages.sort()]) {
    const manifest = readText(path.join(ROOT, folder, 'package.json'));
    if (manifest === undefined) continue;
    const fields = JSON.parse(manifest);
    hash.update(JSON.stringify([folder, ...DEPENDENCY_FIELDS.map((field) => fields[field])]));
  }
  return hash.digest('hex');
}

/** Whether someone ran `npm ci` by hand: npm writes its own record as the last act of a complete installation. */
function isLockInstalled() {
  const lock = readText(path.join(ROOT, 'package-lock.json'));
  const record = readText(path.join(ROOT, 'node_modules/.package-lock.json'));
  if (lock === undefined || record === undefined) return false;
  /** @type {Record<string, LockEntry>} */
  const wanted = JSON.parse(lock).packages;
  /** @type {Record<string, LockEntry>} */
  const installed = JSON.parse(record).packages;
  const isSame = Object.entries(wanted).every(([name, entry]) => {
    if (!name.startsWith('node_modules/') || entry.link) return true;
    const found = installed[name];
    if (found === undefined) return entry.optional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
  return isSame && Object.keys(installed).every((name) => name in wanted) && areManifestsLocked(wanted);
}

/**
 * Whether the lock file was made from the package.json files that are here.
 * @param {Record<string, any>} locked
 */
function areManifestsLocked(locked) {
  return Object.keys(locked)
    .filter((name) => !name.includes('node_modules/'))
    .every((folder) => {
      const manifest = JSON.parse(readText(path.join(ROOT, folder, 'package.json')) ?? '{}');
      return DEPENDENCY_FIELDS.every(
        (field) => writeSorted(manifest[field] ?? {}) === writeSorted(locked[folder][field] ?? {}),
      );
    });
}

/** @param {object} value */
function writeSorted(value) {
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * @param {string} file
 * @returns {string | undefined}
 */
function readText(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}
