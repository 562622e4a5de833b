// Builds the product into dist/: the programs as one file each, the console as compressed files.
// dist/ is replaced as a whole at the end, so a failed build leaves the last good one.

import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify, stripVTControlCharacters } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { bundleProgram } from './bundle.mjs';
import { DIST, fingerprintSources, STAMP_NAME } from './freshness.mjs';
import { buildEnvironment, findProgram, ROOT } from './node-26.mjs';
import { runProgram } from './run.mjs';

const NEXT = `${DIST}.next`;
const PROGRAMS = {
  'server.js': 'packages/server/src/main.ts',
  'reader-worker.js': 'packages/server/src/db/reader-worker.ts',
  'runner.js': 'packages/runner/src/main.ts',
  'cli.js': 'packages/server/src/cli.ts',
};
/** Not the page itself: the server writes the base path into it for every request. */
const COMPRESSIBLE = /[.](css|js|json|svg|txt)$/;
/** Below this a compressed answer saves no packet. */
const SMALLEST_COMPRESSED = 1024;

const begin = Date.now();
// Taken before the build: a file that changes meanwhile leaves the build stale, not wrongly fresh.
const fingerprint = fingerprintSources();
await rm(NEXT, { recursive: true, force: true });
await mkdir(NEXT, { recursive: true });
// Both are waited for, also when one fails: a bundler left alone would go on writing into what is removed below.
const outcomes = await Promise.allSettled([buildPrograms(), buildConsole()]);
const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
if (failures.length > 0) {
  for (const { reason } of failures) {
    console.error(stripVTControlCharacters(reason instanceof Error ? reason.message : String(reason)));
  }
  await rm(NEXT, { recursive: true, force: true });
  process.exit(1);
}
await writeFile(path.join(NEXT, STAMP_NAME), fingerprint);
await rm(DIST, { recursive: true, force: true });
await rename(NEXT, DIST);
console.log(`Built in ${((Date.now() - begin) / 1000).toFixed(1)} s.`);

async function buildPrograms() {
  for (const [name, entry] of Object.entries(PROGRAMS)) {
    await bundleProgram(entry, path.join(NEXT, name), { sourcemap: true });
  }
}

async function buildConsole() {
  const folder = path.join(ROOT, 'packages/web');
  const target = path.join(NEXT, 'web');
  const args = ['build', '--outDir', target, '--emptyOutDir', '--logLevel', 'warn'];
  const { code, output } = await runProgram(findProgram('vite'), args, {
    cwd: folder,
    env: buildEnvironment({ NODE_ENV: 'production' }),
  });
  if (code !== 0) throw new Error(`vite build failed:\n${output}`);
  const files = await readdir(target, { recursive: true });
  await Promise.all(files.filter((file) => COMPRESSIBLE.test(file)).map((file) => compress(path.join(target, file))));
}

/** @param {string} file */
async function compress(file) {
  const content = await readFile(file);
  if (content.length < SMALLEST_COMPRESSED) return;
  const [zipped, brotli] = await Promise.all([
    promisify(gzip)(content, { level: 9 }),
    promisify(brotliCompress)(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  ]);
  await Promise.all([writeFile(`${file}.gz`, zipped), writeFile(`${file}.br`, brotli)]);
}
