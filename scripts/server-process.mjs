// How the server's process is started: by npm start, and by whoever measures it.

import path from 'node:path';
import { DIST } from './freshness.mjs';

export const SERVER_PROGRAM = path.join(DIST, 'server.js');

export const SERVER_ENVIRONMENT = {
  // The cache of compiled code saves time at the start and some MB of memory; a new build begins a new one.
  NODE_COMPILE_CACHE: path.join(DIST, '.compiled'),
  // Hashing a password takes 19 MB for a moment. Left to itself, glibc keeps such pieces for ever, in an arena per thread:
  // 40 MB of an idle server. A fixed threshold gives them back.
  MALLOC_TRIM_THRESHOLD_: '131072',
  MALLOC_ARENA_MAX: '2',
};

/**
 * A semi-space is half of what the young part of V8's heap takes, and is kept once it has grown to its 16 MB: most of what an idle
 * server holds beyond its code. The rest of it, the garbage of its start, it collects when it has nothing to do
 * (packages/server/src/idle-memory.ts).
 */
export const SERVER_ARGUMENTS = ['--max-semi-space-size=2', '--expose-gc'];
