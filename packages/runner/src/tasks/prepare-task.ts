import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Job } from '@signalbox/contract/job';
import type { TaskPlaces } from '../journal/journal.ts';
import { prepareTree } from '../prepare/checkout.ts';
import { findTool } from '../prepare/find-tool.ts';
import { openGalaxyAccess } from '../prepare/galaxy-access.ts';
import type { GitAccess } from '../prepare/git-access.ts';
import { borrowKnownHosts } from '../prepare/known-hosts.ts';
import { findInTree } from '../prepare/paths.ts';
import { findRequirements } from '../prepare/requirements.ts';
import { SshAgent } from '../prepare/ssh-agent.ts';
import { hasBackend, writeStateBackend } from '../prepare/state-backend.ts';
import type { TreeRequest } from '../prepare/tree-request.ts';
import { runCommand } from '../process/run-command.ts';
import type { SlotUser } from '../process/slot-users.ts';
import { TaskFailure } from '../task-failure.ts';
import { type Adapter, commandsOf, type Requirement, type Review, type Room, type Step } from '../tools/adapter.ts';
import { findAdapter } from '../tools/adapters.ts';
import { inventoryName } from '../tools/ansible.ts';
import { makeTaskEnv } from './task-env.ts';
import type { Workshop } from './workshop.ts';

export type Preparation = {
  workshop: Workshop;
  job: Job;
  claimId: string;
  /** Environment marks by which the task's processes are found. */
  marks: { runner: string; task: string };
  places: TaskPlaces;
  user: SlotUser | null;
  /** A fetch that began at this time or later serves this task. */
  created: number;
  signal: AbortSignal;
  say: (line: string) => void;
};

export type PreparedTask = {
  commit: string | null;
  subject: string;
  adapter: Adapter;
  steps: Step[];
  /** Null for a tool that acts at once. */
  review: Review | null;
  agent: SshAgent | null;
  /** Takes the repository's key away, once no step is left that uses it. */
  dropKey: () => void;
  /** Ends and removes what only the tool needed. */
  close: () => void;
};

const chownTimeout = 10 * 60 * 1000;

/** Everything that a tool needs, in the task's own directory; nothing outside of it changes. @throws TaskFailure */
export async function prepareTask(preparation: Preparation): Promise<PreparedTask> {
  const { job, workshop, places } = preparation;
  const adapter = findAdapter(job.app);
  const command = requireTool(workshop, job, adapter);
  for (const directory of [places.secrets, places.home]) mkdirSync(directory, { mode: 0o700 });
  const closers: (() => void)[] = [];
  const close = (): void => {
    for (const closer of closers.splice(0)) closer();
  };
  try {
    const request = makeTreeRequest(preparation, places.tree, job.repository, job.commit_hash);
    const { commit, subject } = await prepareTree(workshop.room, request);
    const inventory = await prepareInventory(preparation);
    const knownHosts = borrowHosts(preparation);
    closers.push(knownHosts.giveBack);
    const agent = await startAgent(preparation);
    if (agent !== null) closers.push(() => agent.close());
    const playbook = findPlaybook(adapter, places.tree, job.playbook);
    const requirements = listRequirements(preparation, playbook);
    const access = requirements.length === 0 ? null : openAccess(preparation);
    const dropKey = (): void => access?.close();
    closers.push(dropKey);
    const room = makeRoom(preparation, {
      command,
      state: await findState(preparation, adapter, playbook),
      inventory,
      agent,
      access,
      knownHosts: knownHosts.path,
      playbook,
      requirements,
    });
    writeFiles(places.secrets, adapter, job);
    const steps = adapter.listSteps(job, room).map((step) => finishStep(workshop, step));
    const review = finishReview(workshop, adapter.review?.(job, room) ?? null);
    await giveAway(preparation, steps, adapter.place === 'directory' ? [room.toolCache] : []);
    return { commit, subject, adapter, steps, review, agent, dropKey, close };
  } catch (error) {
    close();
    throw error;
  }
}

/** Asked first: a tool that is missing is no reason to clone. @returns where it is */
function requireTool(workshop: Workshop, job: Job, adapter: Adapter): string {
  const path = job.secret_env.PATH ?? job.env.PATH ?? workshop.options.toolEnv.PATH ?? '';
  const commands = commandsOf(job, adapter);
  for (const command of commands) {
    const found = findTool(command, path);
    if (found !== null) return found;
  }
  throw new TaskFailure(`${commands.join(' or ')} is not installed on ${workshop.hostname}`);
}

function findPlaybook({ place }: Adapter, tree: string, path: string): string {
  if (place === 'file') return findInTree(tree, path, 'The playbook');
  // The repository itself, however that is written.
  if (path.split('/').every((step) => step === '' || step === '.')) return '';
  const found = findInTree(tree, path, 'The directory');
  if (!statSync(join(tree, found)).isDirectory()) throw new TaskFailure(`"${path}" is no directory of the repository`);
  return found;
}

/** The code's own word on where its state is comes first. */
async function findState(
  { job, workshop, places, say }: Preparation,
  adapter: Adapter,
  playbook: string,
): Promise<Room['state']> {
  if (job.state === null || adapter.place !== 'directory') return null;
  const workplace = join(places.tree, playbook);
  if (hasBackend(workplace)) return null;
  const { username, password } = job.state;
  writeStateBackend(workplace);
  const address = await workshop.stateDoor.open(job.state, { directory: places.directory, workplace, say });
  say('The state is kept on the server, as the code names no other place');
  return { address, username, password };
}

function makeTreeRequest(
  preparation: Preparation,
  tree: string,
  repository: Job['repository'],
  commit: string | null,
): TreeRequest {
  const { created, signal, say, places } = preparation;
  return { repository, commit, created, tree, secrets: places.secrets, signal, say };
}

/** Absolute path of the inventory; null when the tool gets none. */
async function prepareInventory(preparation: Preparation): Promise<string | null> {
  const { job, places, workshop } = preparation;
  const inventory = job.inventory;
  if (inventory === null || job.app.id !== 'ansible') return null;
  const name = inventoryName(job);
  if (name !== null) return join(places.secrets, name);
  if (inventory.type !== 'file') throw new TaskFailure('Ansible cannot use a workspace as its inventory');
  if (inventory.content.includes(',')) throw new TaskFailure('The path of an inventory may not have a comma in it');
  let tree = places.tree;
  if (inventory.repository !== null) {
    tree = join(places.directory, 'inventory');
    await prepareTree(workshop.room, makeTreeRequest(preparation, tree, inventory.repository, null));
  }
  return join(tree, findInTree(tree, inventory.content, 'The inventory'));
}

/** For Ansible; ssh that a script calls has its user's own file. */
function borrowHosts({ workshop, job, places }: Preparation): { path: string; giveBack: () => void } {
  const path = join(places.secrets, 'known_hosts');
  if (job.app.id !== 'ansible') return { path, giveBack: () => undefined };
  return { path, giveBack: borrowKnownHosts(workshop.options.dataDir, { projectId: job.project_id }, path) };
}

async function startAgent(preparation: Preparation): Promise<SshAgent | null> {
  const { job, places, user, signal, workshop } = preparation;
  const key = job.inventory?.ssh_key;
  if (key?.type !== 'ssh') return null;
  return SshAgent.start(
    key,
    { secrets: places.secrets, ask: workshop.room.surroundings.ask },
    workshop.ownEnv,
    user,
    signal,
  );
}

function openAccess({ job, places: { secrets }, workshop: { room, options } }: Preparation): GitAccess {
  return openGalaxyAccess(room.surroundings, job.repository, { dataDir: options.dataDir, secrets });
}

function listRequirements(preparation: Preparation, playbook: string): Requirement[] {
  const { job, places, workshop, claimId } = preparation;
  if (job.app.id !== 'ansible') return [];
  const cache = join(workshop.options.dataDir, 'requirements');
  return findRequirements(places.tree, playbook, cache, { projectId: job.project_id, claim: claimId });
}

type Parts = {
  command: string;
  state: Room['state'];
  inventory: string | null;
  agent: SshAgent | null;
  access: GitAccess | null;
  knownHosts: string;
  playbook: string;
  requirements: Requirement[];
};

function makeRoom(preparation: Preparation, parts: Parts): Room {
  const { job, places, workshop, user, marks } = preparation;
  const sources = {
    toolEnv: workshop.options.toolEnv,
    home: places.home,
    secrets: places.secrets,
    user: user?.name ?? workshop.user,
    marks,
    agent: parts.agent?.socket ?? null,
    knownHosts: parts.knownHosts,
  };
  return {
    tree: places.tree,
    command: parts.command,
    state: parts.state,
    toolCache: makeToolCache(preparation),
    pathOf: (name) => join(places.secrets, name),
    env: makeTaskEnv(job, places.tree, sources),
    playbook: parts.playbook,
    inventory: parts.inventory,
    vaultScripts: findVaultScripts(job, places.tree),
    requirements: parts.requirements,
    gitEnv: parts.access?.env ?? {},
  };
}

/** One for each template: what a tool downloads for one may not be what another one trusts. */
function makeToolCache({ job, workshop }: Preparation): string {
  const directory = join(workshop.options.dataDir, 'tool-cache', `template-${job.template_id}`, job.app.id);
  mkdirSync(directory, { recursive: true, mode: 0o755 });
  return directory;
}

function findVaultScripts(job: Job, tree: string): Map<string, string> {
  const scripts = new Map<string, string>();
  for (const vault of job.vaults) {
    if (vault.type !== 'script') continue;
    const path = join(tree, findInTree(tree, vault.script, 'The vault script'));
    if (!/-client(\.[^.]*)?$/.test(basename(path))) {
      throw new TaskFailure(`The vault script "${vault.script}" must have a name that ends in -client`);
    }
    chmodSync(path, 0o755);
    scripts.set(vault.script, path);
  }
  return scripts;
}

function writeFiles(secrets: string, adapter: Adapter, job: Job): void {
  for (const { name, content } of adapter.listFiles(job)) {
    writeFileSync(join(secrets, name), content, { mode: 0o600, flag: 'wx' });
  }
}

/** Checks what no process can be given, before one is asked for. */
function finishStep(workshop: Workshop, step: Step): Step {
  const file = findTool(step.file, step.env.PATH ?? '');
  if (file === null) throw new TaskFailure(`${step.file} is not installed on ${workshop.hostname}`);
  if (step.args.some((argument) => argument.includes('\0')))
    throw new TaskFailure('An argument of the tool has a NUL in it');
  for (const [name, value] of Object.entries(step.env)) {
    if (`${name}${value}`.includes('\0')) throw new TaskFailure(`The environment variable ${name} has a NUL in it`);
  }
  return { ...step, file };
}

function finishReview(workshop: Workshop, review: Review | null): Review | null {
  return review && { ...review, apply: review.apply.map((step) => finishStep(workshop, step)) };
}

/** Where tasks run as users of their own, what they need becomes theirs. */
async function giveAway(preparation: Preparation, steps: Step[], caches: string[]): Promise<void> {
  const { user, places, signal, workshop } = preparation;
  const filled = steps.flatMap((step) => (step.fills === null ? [] : [step.fills.temporary]));
  for (const directory of filled) mkdirSync(directory, { recursive: true, mode: 0o755 });
  if (user === null) return;
  const inventory = join(places.directory, 'inventory');
  const paths = [
    places.tree,
    places.secrets,
    places.home,
    ...filled,
    ...caches,
    ...(existsSync(inventory) ? [inventory] : []),
  ];
  const args = ['-Rh', `${user.uid}:${user.gid}`, '--', ...paths];
  const env = workshop.ownEnv;
  const end = await runCommand('chown', args, { cwd: '/', env, signal, timeout: chownTimeout });
  if (end.code !== 0)
    throw new TaskFailure(`The task's files could not be given to ${user.name}: ${end.stderr.trim()}`);
}
