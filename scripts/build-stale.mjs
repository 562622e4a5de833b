// Builds the product if its sources have changed since the last build.

import path from 'node:path';
import { isBuildFresh } from './freshness.mjs';
import { buildEnvironment, ROOT, requireNode26 } from './node-26.mjs';
import { runProgram } from './run.mjs';

/** @returns {Promise<void>} */
export async function buildStale() {
  if (isBuildFresh()) return;
  console.log('Building (once per change of the sources)…');
  const { code, output } = await runProgram(requireNode26(), [path.join(ROOT, 'scripts/build.mjs')], {
    env: buildEnvironment(),
  });
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
}
