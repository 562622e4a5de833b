import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JobRepository, KeyMaterial } from '@signalbox/contract/job';
import { TaskFailure } from '../task-failure.ts';
import { quoteForConfig } from './git-files.ts';
import { listHostKeySettings } from './known-hosts.ts';
import { quoteForShell } from './paths.ts';
import type { RepositoryLocation } from './repository-url.ts';

type RemoteLocation = Extract<RepositoryLocation, { kind: 'remote' }>;

/** The environment in which git may reach one repository, and the files that it needs for that. */
export type GitAccess = { env: Record<string, string>; close: () => void };

/** What every call of git gets, whatever it is for. */
export type GitSurroundings = {
  /** PATH, locale, and what the operator forwards: proxies, certificates. */
  toolEnv: Record<string, string>;
  /** Settings that hold for all calls; made once by `writeGitSettings`. */
  settingsFile: string;
  /** An empty directory. */
  home: string;
  /** The script that answers ssh with a file. */
  ask: string;
  /** By which a successor finds what this runner has left running. */
  mark: Record<string, string>;
};

/**
 * No collection of garbage: trees in use borrow objects from the caches. No hooks. A local repository may belong to another user.
 */
const settings = `[gc]
\tauto = 0
[maintenance]
\tauto = false
[core]
\thooksPath = /dev/null
[safe]
\tdirectory = *
[advice]
\tdetachedHead = false
[submodule]
\trecurse = false
[fetch]
\trecurseSubmodules = false
`;

export function writeGitSettings(path: string): void {
  writeFileSync(path, settings, { mode: 0o644 });
}

const answerFile = 'SIGNALBOX_ANSWER_FILE';

/** The one program that answers questions of ssh. It is no secret itself, and stands where programs may be run. */
export function writeAskScript(path: string): void {
  writeFileSync(path, `#!/bin/sh\nexec cat "$${answerFile}"\n`, { mode: 0o755 });
}

/** Makes ssh ask the script instead of a terminal. */
export function makeAnswerEnv(ask: string, file: string): Record<string, string> {
  return { SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: 'none', [answerFile]: file };
}

/** The second fence around what git may reach; the first one is that every URL is checked before git sees it. */
const protocols = 'file:git:ssh:http:https';

/** Git without any key. */
export function makeGitEnv(surroundings: GitSurroundings): Record<string, string> {
  return {
    ...surroundings.toolEnv,
    LC_ALL: 'C.UTF-8',
    HOME: surroundings.home,
    GIT_CONFIG_GLOBAL: surroundings.settingsFile,
    GIT_TERMINAL_PROMPT: '0',
    GIT_ALLOW_PROTOCOL: protocols,
    GIT_HTTP_LOW_SPEED_LIMIT: '100',
    GIT_HTTP_LOW_SPEED_TIME: '60',
    ...surroundings.mark,
  };
}

function writeSecret(path: string, content: string): string {
  writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
  return path;
}

const sshOptions = [
  '-o ControlMaster=no',
  '-o ControlPath=none',
  '-o ConnectTimeout=30',
  '-o ServerAliveInterval=15',
  '-o NumberOfPasswordPrompts=1',
];

function makeSshEnv(
  surroundings: GitSurroundings,
  directory: string,
  location: RemoteLocation,
  { repository, knownHosts }: Omit<GitTarget, 'location'>,
): Record<string, string> {
  const { key, host_key_policy } = repository;
  const settings = listHostKeySettings(host_key_policy, knownHosts);
  const options = [...sshOptions, ...settings.map((setting) => `-o ${quoteForShell(setting)}`)];
  const env: Record<string, string> = {};
  if (key.type === 'login_password') {
    throw new TaskFailure('The key of the repository is a login with password, but its URL needs an ssh key');
  }
  if (key.type === 'ssh') {
    const text = key.private_key.replaceAll('\r\n', '\n');
    const file = writeSecret(join(directory, 'key'), text.endsWith('\n') ? text : `${text}\n`);
    options.push(`-i ${quoteForShell(file)}`, '-o IdentitiesOnly=yes', '-o IdentityAgent=none');
    options.push('-o PreferredAuthentications=publickey');
    if (location.user === null && key.login !== '') options.push(`-o ${quoteForShell(`User=${key.login}`)}`);
  }
  if (key.type === 'ssh' && key.passphrase !== '') {
    Object.assign(env, makeAnswerEnv(surroundings.ask, writeSecret(join(directory, 'passphrase'), key.passphrase)));
  } else options.push('-o BatchMode=yes');
  env.GIT_SSH_COMMAND = `ssh ${options.join(' ')}`;
  return env;
}

/** Hosts take any name with a token; this one is asked for by one of them. */
const nameOfToken = 'x-token-auth';

function makePasswordEnv(
  directory: string,
  location: RemoteLocation,
  key: KeyMaterial,
  settingsFile: string,
): Record<string, string> {
  let login = location.user;
  let password = location.password;
  if (key.type === 'login_password') {
    login = key.login === '' ? nameOfToken : key.login;
    password = key.password;
  }
  if (key.type === 'ssh')
    throw new TaskFailure('The key of the repository is an ssh key, but its URL needs a login with password');
  if (password === null && login === null) return {};
  const [scheme, host] = location.origin.split('://');
  const entry = `${scheme}://${encodeURIComponent(login ?? nameOfToken)}:${encodeURIComponent(password ?? '')}@${host}\n`;
  const file = writeSecret(join(directory, 'credentials'), entry);
  // Asked for this host alone: a submodule or a redirect to another one gets nothing. In a file, because git takes settings
  // that come by the environment away from the git that clones a submodule.
  const config = [
    `[include]\n\tpath = ${quoteForConfig(settingsFile)}`,
    '[credential]\n\thelper =',
    `[credential ${quoteForConfig(location.origin)}]\n\thelper = ${quoteForConfig(`store --file=${quoteForShell(file)}`)}`,
  ];
  return { GIT_CONFIG_GLOBAL: writeSecret(join(directory, 'config'), `${config.join('\n')}\n`) };
}

export type GitTarget = {
  location: RepositoryLocation;
  repository: Pick<JobRepository, 'key' | 'host_key_policy'>;
  /** File of the keys of hosts that are remembered for it. */
  knownHosts: string;
};

let made = 0;

/**
 * Writes the files that git needs to reach a repository, in a directory of their own.
 * @param secrets directory that is 0700 and removed with the task or by the next runner
 * @throws TaskFailure when the kind of key does not fit the URL
 */
export function openGitAccess(surroundings: GitSurroundings, target: GitTarget, secrets: string): GitAccess {
  const { location } = target;
  const { key } = target.repository;
  if (location.kind === 'local') return { env: makeGitEnv(surroundings), close: () => undefined };
  made += 1;
  const directory = join(secrets, `git-${process.pid}-${made}`);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const close = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const isHttp = location.scheme === 'http' || location.scheme === 'https';
    const rights = isHttp
      ? makePasswordEnv(directory, location, key, surroundings.settingsFile)
      : location.scheme === 'ssh'
        ? makeSshEnv(surroundings, directory, location, target)
        : {};
    return { env: { ...makeGitEnv(surroundings), ...rights }, close };
  } catch (error) {
    close();
    throw error;
  }
}
