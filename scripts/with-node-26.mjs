// node scripts/with-node-26.mjs FILE…: runs a program of ours on Node 26, whichever Node runs npm.

import { spawn } from 'node:child_process';
import { buildStale } from './build-stale.mjs';
import { installPackages } from './install.mjs';
import { buildEnvironment, requireNode26 } from './node-26.mjs';

await installPackages();
await buildStale();
spawn(requireNode26(), process.argv.slice(2), { env: buildEnvironment(), stdio: 'inherit' }).on('exit', (code) => {
  process.exitCode = code ?? 1;
});
