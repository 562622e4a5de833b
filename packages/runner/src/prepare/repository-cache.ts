import { createHash } from 'node:crypto';
import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { JobRepository } from '@signalbox/contract/job';
import { type CommandEnd, runCommand } from '../process/run-command.ts';
import { TaskFailure } from '../task-failure.ts';
import { type GitSurroundings, makeGitEnv, openGitAccess } from './git-access.ts';
import { type ObjectFormat, readHeadBranch, readLooseSubject, readRef, writeBareRepository } from './git-files.ts';
import { knownHostsOf } from './known-hosts.ts';
import { parseRepositoryUrl, type RepositoryLocation } from './repository-url.ts';
import { type FetchKind, SharedFetch } from './shared-fetch.ts';

/** A large repository over a slow line may take long; one that hangs must not hang for ever. */
const fetchTimeout = 60 * 60 * 1000;
const shortTimeout = 60_000;
const refSpecs = ['+refs/heads/*:refs/heads/*', '+refs/tags/*:refs/tags/*'];
const mostSubjects = 1000;
/** In one of the 256 directories of loose objects; git itself packs at about this many. */
const manyLoose = 27;
const oneDay = 24 * 60 * 60 * 1000;

export type ResolvedCommit = { hash: string; subject: string; branch: string | null };

/** What git said, without its noise. */
export function explainGit(end: CommandEnd): string {
  const lines = end.stderr.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('hint:'));
  const telling = lines.filter((line) =>
    /^(fatal|error|remote|ssh|ERROR|Permission|Host key|No \S+ host key)/.test(line),
  );
  return (telling.length > 0 ? telling : lines).slice(-4).join('; ') || `git ended with exit code ${end.code}`;
}

/** One bare copy of a repository as one key sees it. Trees borrow its objects, so nothing is ever removed from it. */
export class RepositoryCache {
  readonly directory: string;
  /** Where the repository is to git: a URL without secrets, or a real path. */
  readonly origin: string;
  readonly knownHosts: string;
  #repository: JobRepository;
  readonly #location: RepositoryLocation;
  readonly #surroundings: GitSurroundings;
  readonly #secrets: string;
  readonly #fetch: SharedFetch;
  readonly #subjects = new Map<string, string>();
  #format: ObjectFormat = 'sha1';
  #nextPack = 0;

  constructor(
    directory: string,
    repository: JobRepository,
    location: RepositoryLocation,
    surroundings: GitSurroundings,
    places: { secrets: string; knownHosts: string },
  ) {
    this.directory = directory;
    this.knownHosts = places.knownHosts;
    this.#repository = repository;
    this.#location = location;
    this.#surroundings = surroundings;
    this.#secrets = places.secrets;
    this.origin = location.kind === 'local' ? location.path : location.url;
    this.#fetch = new SharedFetch((signal) => this.#fetchAll(signal));
    if (existsSync(join(directory, 'config'))) this.#removeStaleLocks();
    else writeBareRepository(directory, this.#format);
  }

  /** What of a repository may change without it being another one: the policy about keys of hosts. */
  update(repository: JobRepository): void {
    this.#repository = repository;
  }

  /** A git that was killed leaves its lock files, and every later one would refuse to work. */
  #removeStaleLocks(): void {
    for (const name of readdirSync(this.directory, { recursive: true, encoding: 'utf8' })) {
      if (name.endsWith('.lock') && !name.startsWith('objects/')) rmSync(join(this.directory, name), { force: true });
    }
  }

  /** Sees to it that what was there at this moment is here. */
  fetchSince(created: number, signal: AbortSignal): Promise<FetchKind> {
    return this.#fetch.serve(created, signal);
  }

  async #fetchAll(signal: AbortSignal): Promise<void> {
    let end = await this.#runFetch(['--prune', '--', this.origin, ...refSpecs], signal);
    if (end.code !== 0 && end.stderr.includes('mismatched algorithms') && this.#format === 'sha1') {
      this.#format = 'sha256';
      writeBareRepository(this.directory, this.#format);
      end = await this.#runFetch(['--prune', '--', this.origin, ...refSpecs], signal);
    }
    if (end.code !== 0) throw new TaskFailure(`${this.origin} could not be fetched: ${explainGit(end)}`);
    this.#packWhenLoose();
  }

  /**
   * Small fetches leave loose objects, and thousands of them make git slow. Packed beside the tasks at most once a day; nothing is
   * removed that is not in the pack, for trees in use borrow it.
   */
  #packWhenLoose(): void {
    const sample = join(this.directory, 'objects', '17');
    if (performance.now() < this.#nextPack || !existsSync(sample) || readdirSync(sample).length < manyLoose) return;
    this.#nextPack = performance.now() + oneDay;
    const never = new AbortController().signal;
    // Nothing depends on it: a cache that could not be packed works as before.
    this.#ask(['repack', '-d', '-l', '-q'], never).catch(() => undefined);
  }

  async #runFetch(args: string[], signal: AbortSignal): Promise<CommandEnd> {
    const target = { location: this.#location, repository: this.#repository, knownHosts: this.knownHosts };
    const access = openGitAccess(this.#surroundings, target, this.#secrets);
    try {
      const options = ['--quiet', '--force', '--no-tags', '--no-write-fetch-head', '--no-recurse-submodules'];
      const cwd = this.directory;
      return await runCommand('git', ['fetch', ...options, ...args], {
        cwd,
        env: access.env,
        signal,
        timeout: fetchTimeout,
      });
    } finally {
      access.close();
    }
  }

  /** Runs git on what is here; it reaches nothing else. */
  #ask(args: string[], signal: AbortSignal): Promise<CommandEnd> {
    const env = makeGitEnv(this.#surroundings);
    return runCommand('git', args, { cwd: this.directory, env, signal, timeout: shortTimeout });
  }

  /** The head of a branch, or else the commit of a tag; null when there is neither. */
  async #findHead(name: string, signal: AbortSignal): Promise<{ hash: string; branch: string | null } | null> {
    const head = readRef(this.directory, `refs/heads/${name}`);
    if (head !== null) return { hash: head, branch: name };
    if (readRef(this.directory, `refs/tags/${name}`) === null) return null;
    const hash = await this.#findCommit(`refs/tags/${name}`, signal);
    return hash === null ? null : { hash, branch: null };
  }

  async #findCommit(expression: string, signal: AbortSignal): Promise<string | null> {
    const end = await this.#ask(
      ['rev-parse', '--verify', '--quiet', '--end-of-options', `${expression}^{commit}`],
      signal,
    );
    return end.code === 0 ? end.stdout.trim() : null;
  }

  /** @throws TaskFailure */
  async resolveBranch(name: string, signal: AbortSignal): Promise<ResolvedCommit> {
    const found = await this.#findHead(name, signal);
    if (found === null) throw new TaskFailure(`${this.origin} has no branch "${name}"`);
    return { ...found, subject: await this.#readSubject(found.hash, signal) };
  }

  /** null when the commit is not here. */
  async findHere(commit: string, signal: AbortSignal): Promise<ResolvedCommit | null> {
    const hash = this.#subjects.has(commit) ? commit : await this.#findCommit(commit, signal);
    return hash === null ? null : { hash, branch: null, subject: await this.#readSubject(hash, signal) };
  }

  /** Asks for a commit that no branch leads to; servers may refuse that. */
  async fetchCommit(commit: string, signal: AbortSignal): Promise<void> {
    if (commit.length >= 40) await this.#runFetch(['--', this.origin, commit], signal);
  }

  /** Whether this branch here is at this commit: then all of it is here. */
  isAt(branch: string, commit: string): boolean {
    return readRef(this.directory, `refs/heads/${branch}`) === commit;
  }

  async #readSubject(commit: string, signal: AbortSignal): Promise<string> {
    const known = this.#subjects.get(commit) ?? readLooseSubject(this.directory, commit);
    const subject = known ?? (await this.#ask(['log', '-1', '--format=%s', commit], signal)).stdout.trim();
    if (this.#subjects.size >= mostSubjects) this.#subjects.clear();
    this.#subjects.set(commit, subject);
    return subject;
  }
}

/** The head of a branch of a local repository, read from its files; null when git must be asked. */
export function readLocalHead(gitDirectory: string, branch: string): string | null {
  return readRef(gitDirectory, `refs/heads/${branch}`);
}

export function readDefaultBranch(gitDirectory: string): string {
  const branch = readHeadBranch(gitDirectory);
  if (branch === null) throw new TaskFailure('The local repository is on no branch; name one');
  return branch;
}

/** All caches of one data directory, one for each repository, URL and key. */
export class RepositoryCaches {
  readonly #dataDir: string;
  readonly #secrets: string;
  readonly #surroundings: GitSurroundings;
  readonly #open = new Map<string, RepositoryCache>();

  constructor(dataDir: string, secrets: string, surroundings: GitSurroundings) {
    this.#dataDir = dataDir;
    this.#secrets = secrets;
    this.#surroundings = surroundings;
  }

  /** @param location where the repository is, checked by the caller */
  get(repository: JobRepository, location: RepositoryLocation = parseRepositoryUrl(repository.url)): RepositoryCache {
    const text = JSON.stringify([repository.id, location, repository.key]);
    const name = `${repository.id}-${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
    let cache = this.#open.get(name);
    if (cache === undefined) {
      const directory = join(this.#dataDir, 'repositories', name);
      const places = {
        secrets: this.#secrets,
        knownHosts: knownHostsOf(this.#dataDir, { repositoryId: repository.id }),
      };
      cache = new RepositoryCache(directory, repository, location, this.#surroundings, places);
      this.#open.set(name, cache);
    }
    cache.update(repository);
    // By its time a later runner knows that it is used.
    const now = new Date();
    utimesSync(cache.directory, now, now);
    return cache;
  }
}
