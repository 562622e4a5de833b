// npm start: from a fresh clone to a running server, and from a finished one without doing anything twice.

import { spawn } from 'node:child_process';
import { buildStale } from './build-stale.mjs';
import { installPackages } from './install.mjs';
import { requireNode26 } from './node-26.mjs';
import { SERVER_ARGUMENTS, SERVER_ENVIRONMENT, SERVER_PROGRAM } from './server-process.mjs';

/** npm passes a signal on that the terminal has already sent to the whole group; one act of a person is one signal. */
const SAME_ACT = 1000;

try {
  await installPackages();
  await buildStale();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}

const child = spawn(requireNode26(), [...SERVER_ARGUMENTS, SERVER_PROGRAM, ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: { ...SERVER_ENVIRONMENT, SIGNALBOX_DEMO: '1', ...process.env },
});

process.on('SIGTERM', forwardOnce('SIGTERM'));
process.on('SIGHUP', forwardOnce('SIGTERM'));
process.on('SIGINT', forwardOnce('SIGINT'));
child.on('error', (error) => {
  console.error(`The server could not be started: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => {
  process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 143);
});

/** @param {NodeJS.Signals} signal */
function forwardOnce(signal) {
  // In a terminal Ctrl-C reaches the server directly, as a member of the foreground group: this process only waits.
  const isSentToGroup = signal === 'SIGINT' && (process.stdin.isTTY || process.stdout.isTTY);
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    const now = performance.now();
    if (isSentToGroup || now - last < SAME_ACT) return;
    last = now;
    child.kill(signal);
  };
}
