import { mkdirSync, rmSync } from 'node:fs';
import type { Probe } from '@signalbox/contract/job';
import type { ProbeAnswer } from '@signalbox/contract/runner-protocol';
import { maskSentence, SecretSearch } from './log/mask.ts';
import { openGitAccess } from './prepare/git-access.ts';
import { findGitDirectory } from './prepare/git-files.ts';
import { listRepositorySecrets } from './prepare/key-secrets.ts';
import { knownHostsOf } from './prepare/known-hosts.ts';
import { resolveLocalPath } from './prepare/paths.ts';
import { explainGit } from './prepare/repository-cache.ts';
import { checkBranchName, parseRepositoryUrl, type RepositoryLocation } from './prepare/repository-url.ts';
import type { CheckoutRoom } from './prepare/tree-request.ts';
import { CommandTimeout, runCommand } from './process/run-command.ts';
import { TaskFailure } from './task-failure.ts';

const timeout = 30_000;
const largestAnswer = 64 * 1024;

type Place = { location: RepositoryLocation; origin: string };

function findPlace(room: CheckoutRoom, probe: Probe): Place {
  const location = parseRepositoryUrl(probe.repository.url);
  if (location.kind === 'remote') return { location, origin: location.url };
  const path = resolveLocalPath(location.path, room.localRoots, probe.repository.trusted);
  return { location: { kind: 'local', path }, origin: path };
}

async function listRemote(
  room: CheckoutRoom,
  probe: Probe,
  place: Place,
  scratch: string,
  args: string[],
): Promise<string> {
  const secrets = `${scratch}/probe-${probe.probe_id.replaceAll(/[^A-Za-z0-9-]/g, '')}`;
  mkdirSync(secrets, { recursive: true, mode: 0o700 });
  const { repository } = probe;
  const knownHosts = knownHostsOf(room.dataDir, { repositoryId: repository.id });
  const target = { location: place.location, repository, knownHosts };
  const access = openGitAccess(room.surroundings, target, secrets);
  try {
    const signal = new AbortController().signal;
    const options = { cwd: secrets, env: access.env, signal, timeout, limit: 4 * 1024 * 1024 };
    const end = await runCommand('git', ['ls-remote', '--quiet', ...args], options);
    if (end.code !== 0) throw new TaskFailure(`The repository cannot be reached: ${explainGit(end)}`);
    return end.stdout;
  } finally {
    access.close();
    rmSync(secrets, { recursive: true, force: true });
  }
}

/** The commit of exactly this branch: git would also answer with any other whose name ends like it. */
async function findHead(room: CheckoutRoom, probe: Probe, scratch: string): Promise<string> {
  const place = findPlace(room, probe);
  const branch = probe.repository.branch;
  checkBranchName(branch);
  const ref = `refs/heads/${branch}`;
  const lines = (await listRemote(room, probe, place, scratch, ['--', place.origin, ref])).split('\n');
  const hash = lines.find((line) => line.endsWith(`\t${ref}`))?.split('\t', 1)[0];
  if (hash === undefined) throw new TaskFailure(`The repository has no branch "${branch}"`);
  return hash;
}

async function testRepository(room: CheckoutRoom, probe: Probe, scratch: string): Promise<string> {
  const place = findPlace(room, probe);
  if (place.location.kind === 'local' && findGitDirectory(place.location.path) === null) {
    return 'The directory can be read; it is not a git repository, and is copied as it is';
  }
  const { branch } = probe.repository;
  if (branch !== '') checkBranchName(branch);
  const lines = (await listRemote(room, probe, place, scratch, ['--heads', '--tags', '--', place.origin])).split('\n');
  const names = lines.map((line) => line.slice(line.indexOf('\t') + 1));
  if (branch !== '' && !names.includes(`refs/heads/${branch}`) && !names.includes(`refs/tags/${branch}`)) {
    throw new TaskFailure(`The repository can be reached, but it has no branch "${branch}"`);
  }
  return 'The repository can be reached with this key';
}

function explain(error: unknown, probe: Probe): string {
  if (error instanceof CommandTimeout) return `The repository did not answer within ${timeout / 1000} s`;
  const text = error instanceof Error ? error.message : String(error);
  return maskSentence(new SecretSearch(listRepositorySecrets(probe.repository)), text).slice(0, largestAnswer);
}

/** Answers a question that only a runner may ask, because it runs git with a user's text. Never fails. */
export async function answerProbe(room: CheckoutRoom, probe: Probe, scratch: string): Promise<ProbeAnswer> {
  const { probe_id } = probe;
  try {
    const work = probe.kind === 'remote_head' ? findHead : testRepository;
    return { probe_id, ok: true, text: await work(room, probe, scratch) };
  } catch (error) {
    return { probe_id, ok: false, text: explain(error, probe) };
  }
}
