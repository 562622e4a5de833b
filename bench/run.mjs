// npm run bench [-- name …]: builds what is stale and measures the built programs, as they are installed.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { buildStale } from '../scripts/build-stale.mjs';
import { installPackages } from '../scripts/install.mjs';
import { buildEnvironment, requireNode26 } from '../scripts/node-26.mjs';

await installPackages();
await buildStale();
const main = fileURLToPath(new URL('main.ts', import.meta.url));
const run = spawnSync(requireNode26(), [main, ...process.argv.slice(2)], { stdio: 'inherit', env: buildEnvironment() });
process.exitCode = run.status ?? 1;
