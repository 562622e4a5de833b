// node scripts/complete-lock.mjs, after every `npm install` that changed package-lock.json.
// npm leaves out of the lock file the builds for other platforms that its registry does not offer, and then `npm ci`
// refuses the file as incomplete. Their versions are pinned by the packages that want them, so they can be written in.

import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './node-26.mjs';

/**
 * @typedef {{ version?: string, dev?: boolean, optional?: boolean, os?: string[], cpu?: string[], libc?: string[],
 *   dependencies?: Record<string, string>, optionalDependencies?: Record<string, string> }} Entry
 * @typedef {Record<string, Entry>} Packages
 */

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];

/**
 * The optional packages that are wanted by an entry and have none of their own.
 * @param {Packages} packages
 * @returns {{ name: string, version: string, isDev: boolean }[]}
 */
export function listMissing(packages) {
  return Object.entries(packages).flatMap(([place, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !hasEntry(packages, place, name))
      .map(([name, version]) => ({ name, version, isDev: entry.dev === true })),
  );
}

/**
 * Looks where Node would look: in the package's own node_modules, then in those above it.
 * @param {Packages} packages
 * @param {string} place
 * @param {string} name
 * @returns {boolean}
 */
function hasEntry(packages, place, name) {
  if (`${place === '' ? '' : `${place}/`}node_modules/${name}` in packages) return true;
  if (place === '') return false;
  return hasEntry(packages, place.slice(0, Math.max(0, place.lastIndexOf('/node_modules/'))), name);
}

/**
 * @param {{ name: string, version: string, isDev: boolean }} missing
 * @returns {Entry}
 */
function writeEntry({ name, version, isDev }) {
  const words = path.basename(name).split('-');
  const os = words.find((word) => SYSTEMS.includes(word));
  const cpu = words.find((word) => PROCESSORS.includes(word));
  if (os === undefined || cpu === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
    throw new Error(`${name}@${version}: the name does not say for which machine it is; complete the lock by hand`);
  }
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc';
  return {
    version,
    cpu: [cpu],
    ...(isDev ? { dev: true } : {}),
    ...(os === 'linux' ? { libc: [libc] } : {}),
    optional: true,
    os: [os],
  };
}

if (import.meta.filename === process.argv[1]) {
  const file = path.join(ROOT, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = listMissing(lock.packages);
  for (const one of missing) lock.packages[`node_modules/${one.name}`] = writeEntry(one);
  const sorted = Object.entries(lock.packages).sort(([a], [b]) => a.localeCompare(b, 'en'));
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`);
  console.log(`${missing.length} entries added.`);
}
