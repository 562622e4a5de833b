// npm run pack:runner [-- DIRECTORY]: makes a package of the runner alone, to be installed on another machine. It needs
// Node 26 and the tools of the tasks there, and nothing else of this repository.

import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleProgram } from './bundle.mjs';
import { ROOT } from './node-26.mjs';
import { runProgram } from './run.mjs';

const LAUNCHER = `#!/bin/sh
# Starts the runner with the Node of the PATH.
node -e 'process.exit(Number(process.versions.node.split(".")[0]) < 26 ? 1 : 0)' || {
  echo 'signalbox-runner needs Node 26 or later on the PATH' >&2
  exit 1
}
exec node "$(dirname "$(readlink -f "$0")")/../lib/runner.js" "$@"
`;

const target = path.resolve(process.argv[2] ?? path.join(ROOT, 'dist'));
const { version, license } = JSON.parse(await readFile(path.join(ROOT, 'packages/runner/package.json'), 'utf8'));
const work = await mkdtemp(path.join(tmpdir(), 'signalbox-pack-'));
try {
  const folder = path.join(work, 'package');
  await mkdir(path.join(folder, 'bin'), { recursive: true });
  await bundleProgram('packages/runner/src/main.ts', path.join(folder, 'lib/runner.js'), { sourcemap: false });
  await writeFile(path.join(folder, 'bin/signalbox-runner'), LAUNCHER, { mode: 0o755 });
  const manifest = {
    name: 'signalbox-runner',
    version,
    description: 'Runs tasks for a Signalbox server.',
    license,
    type: 'module',
    bin: { 'signalbox-runner': 'bin/signalbox-runner' },
    engines: { node: '>=26' },
  };
  await writeFile(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await copyFile(path.join(ROOT, 'LICENSE'), path.join(folder, 'LICENSE'));
  await copyFile(path.join(ROOT, 'docs/runners.md'), path.join(folder, 'README.md'));
  await mkdir(target, { recursive: true });
  const file = path.join(target, `signalbox-runner-${version}.tgz`);
  const args = ['--create', '--gzip', '--file', file, '--sort=name', '--owner=0', '--group=0', '--numeric-owner'];
  const { code, output } = await runProgram('tar', [...args, '--mtime=@0', '-C', work, 'package'], { cwd: work });
  if (code !== 0) throw new Error(`tar failed:\n${output}`);
  console.log(file);
} finally {
  await rm(work, { recursive: true, force: true });
}
