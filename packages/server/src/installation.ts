import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';

/** A built program is one file in dist/; from the sources it is this file in packages/server/src. */
const isBuilt = ['server.js', 'cli.js'].includes(path.basename(import.meta.filename));
const root = path.resolve(import.meta.dirname, isBuilt ? '..' : '../../..');

/** The console as it was built. */
export const consoleDirectory = path.join(root, 'dist/web');
/** What the demo project's repository is made of. */
export const demoFiles = path.join(root, 'packages/server/demo-files');

export function readVersion(): string {
  const manifest: unknown = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  return z.parse(z.object({ version: z.string() }), manifest).version;
}
