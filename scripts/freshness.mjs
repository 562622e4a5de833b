// Whether dist/ was built from the sources that are here. Everything is read and hashed: a few hundred small files take
// less time than a wrong guess from a clock would cost.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './node-26.mjs';

export const DIST = path.join(ROOT, 'dist');
export const STAMP_NAME = '.stamp';
const SOURCES = ['packages/contract', 'packages/server', 'packages/runner', 'packages/web', 'scripts/build.mjs'];
const MANIFESTS = ['package.json', 'package-lock.json', 'tsconfig.base.json'];
const LEFT_OUT = /(^|\/)(node_modules|dist|test)(\/|$)|[.]test[.]tsx?$/;

/** A hash of everything that the built product is made of. */
export function fingerprintSources() {
  const hash = createHash('sha256');
  for (const file of [...MANIFESTS, ...SOURCES.flatMap(listFiles)].sort()) {
    const content = readFileSync(path.join(ROOT, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

export function isBuildFresh() {
  const stamp = path.join(DIST, STAMP_NAME);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === fingerprintSources();
}

/**
 * @param {string} source
 * @returns {string[]}
 */
function listFiles(source) {
  if (source.endsWith('.mjs')) return [source];
  return readdirSync(path.join(ROOT, source), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .filter((file) => !LEFT_OUT.test(file));
}
