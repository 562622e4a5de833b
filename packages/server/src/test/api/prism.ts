import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(import.meta.resolve('@stoplight/prism-cli'));

export type Prism = { readonly url: string; stop(): Promise<void> };

/**
 * A proxy that knows nothing of ours but the OpenAPI document: it refuses requests and answers that the document does not
 * allow, as `application/problem+json`.
 */
export async function startPrism(document: unknown, upstream: string, directory: string): Promise<Prism> {
  const file = path.join(directory, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const args = [program, 'proxy', file, upstream, '--errors', '--port', '0', '--host', '127.0.0.1'];
  const child = spawn(process.execPath, [...args, '--multiprocess', 'false'], {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { url: await readUrl(child), stop: () => end(child) };
}

async function readUrl(child: ChildProcess): Promise<string> {
  let output = '';
  const ended = once(child, 'exit').then(() => {
    throw new Error(`The contract proxy ended: ${output}`);
  });
  const found = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        if (output.length < 100_000) output += text;
        const [, url] = /listening on (http:\S+)/.exec(output) ?? [];
        if (url !== undefined) resolve(url);
      });
    }
  });
  ended.catch(() => undefined); // it ends when the test does
  return await Promise.race([found, ended]);
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
