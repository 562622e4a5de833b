// npm run check: every check of the sources, a line for each, exit code 1 if one fails.

import { runChecks } from './checks.mjs';
import { requireNode26 } from './node-26.mjs';

try {
  requireNode26();
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\nRun npm ci first.`);
  process.exit(1);
}

const results = await runChecks(({ name, passed, seconds, report }) => {
  console.log(`${passed ? 'ok    ' : 'FAILED'}  ${name.padEnd(24)} ${seconds.toFixed(1)} s`);
  if (!passed) console.log(report);
});
process.exitCode = results.every((result) => result.passed) ? 0 : 1;
