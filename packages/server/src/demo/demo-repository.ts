import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { demoFiles } from '../installation.ts';
import { type RepositoryFile, writeRepository } from './git-repository.ts';

/** Where the demo's repository is; tasks may use it whatever the settings say of local repositories. */
export function demoRepository(dataDir: string): string {
  return path.join(dataDir, 'demo', 'signalbox-demo');
}

/** Makes the repository of the demo project where there is none yet. */
export async function prepareDemoRepository(dataDir: string): Promise<void> {
  await writeRepository(demoRepository(dataDir), await readSources(), 'Add the examples of the demo project');
}

async function readSources(): Promise<RepositoryFile[]> {
  const entries = await readdir(demoFiles, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      path: path.relative(demoFiles, file),
      content: await readFile(file),
      executable: file.endsWith('.sh'),
    })),
  );
}
