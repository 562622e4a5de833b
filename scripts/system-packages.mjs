// The programs that the tests need and npm cannot bring.

import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from './run.mjs';

/** Program -> the Debian package that brings it. */
const NEEDED = {
  ansible: 'ansible-core',
  chromium: 'chromium',
  curl: 'curl',
  git: 'git',
  ip: 'iproute2',
  nginx: 'nginx',
  openssl: 'openssl',
  slapd: 'slapd',
  sshd: 'openssh-server',
  sshpass: 'sshpass',
  strace: 'strace',
  sudo: 'sudo',
};
/** The places where the tests themselves look. */
const FOLDERS = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/sbin'];
/** While this file forbids it, an installed package does not start its daemon: the tests start their own. */
const POLICY = '/usr/sbin/policy-rc.d';

/** Whether this user can install on this machine. */
export function canInstall() {
  return process.getuid?.() === 0 && existsSync('/etc/debian_version');
}

/**
 * Installs what is missing where that is possible, and returns what is missing still, as Debian names it.
 * @returns {Promise<string[]>}
 */
export async function installSystemPackages() {
  const missing = listMissingPackages();
  if (missing.length === 0) return [];
  if (!canInstall()) return missing;
  console.log(`Installing ${missing.join(', ')}…`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const isPolicyOurs = !existsSync(POLICY);
  if (isPolicyOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    const update = await runProgram('apt-get', ['update', '-qq'], { env });
    const args = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
    const install = await runProgram('apt-get', args, { env });
    if (install.code !== 0) console.log(`apt-get failed:\n${update.output}${install.output}`);
  } finally {
    if (isPolicyOurs) rmSync(POLICY, { force: true });
  }
  return listMissingPackages();
}

/** @returns {string[]} */
export function listMissingPackages() {
  return Object.entries(NEEDED)
    .filter(([program]) => !FOLDERS.some((folder) => isExecutable(path.join(folder, program))))
    .map(([, name]) => name);
}

/** @param {string} file */
function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // not there is the answer, not a failure
  }
}
