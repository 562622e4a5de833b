import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Where the built-in runner looks for the server; it reads the file again whenever it is not answered. */
export function addressFile(dataDir: string): string {
  return path.join(dataDir, 'run', 'server.json');
}

/** Written at each start, because the port may be another one. Replaced as a whole: nobody reads half of it. */
export function writeAddress(dataDir: string, url: string): void {
  replaceFile(addressFile(dataDir), `${JSON.stringify({ url })}\n`);
}

/** The name of this data directory among the servers of one database; made at the first start. */
export function readServerId(dataDir: string): string {
  const file = path.join(dataDir, 'run', 'server-id');
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const id = randomBytes(16).toString('hex');
  replaceFile(file, `${id}\n`);
  return id;
}

function replaceFile(file: string, content: string): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(next, content, { mode: 0o600 });
  renameSync(next, file);
}
