import { createHash, randomBytes } from 'node:crypto';
import { accessSync, chmodSync, constants, lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import type { StrayMode } from '@signalbox/contract/runner-protocol';
import type { RunnerOptions } from './config.ts';
import { Trash } from './journal/trash.ts';
import { LogUploader } from './link/log-uploader.ts';
import { ReportQueue } from './link/report-queue.ts';
import type { ServerLink } from './link/server-link.ts';
import { StateDoor } from './link/state-door.ts';
import { writeAskScript, writeGitSettings } from './prepare/git-access.ts';
import { RepositoryCaches } from './prepare/repository-cache.ts';
import { CgroupTree } from './process/cgroup.ts';
import { FifoPool } from './process/fifo-pool.ts';
import { runnerMark } from './process/marked-processes.ts';
import { readProcess } from './process/process-table.ts';
import { canBeReached, listSlotUsers, SlotUsers } from './process/slot-users.ts';
import { makeRunnerMark } from './tasks/task-record.ts';
import type { Workshop } from './tasks/workshop.ts';

export function tasksDirectoryOf(options: RunnerOptions): string {
  return join(options.dataDir, 'tasks');
}

/** Directories that tasks and git share. @throws what the file system says */
export function makeDirectories(options: Pick<RunnerOptions, 'dataDir'>): void {
  mkdirSync(options.dataDir, { recursive: true, mode: 0o700 });
  for (const name of ['tasks', 'repositories', 'requirements', 'known-hosts', 'home']) {
    mkdirSync(join(options.dataDir, name), { recursive: true, mode: 0o700 });
  }
}

function openSlots(options: RunnerOptions, note: (text: string) => void): SlotUsers | null {
  const users = process.getuid?.() === 0 ? listSlotUsers(options.slotUsers) : [];
  if (users.length === 0) return null;
  if (!canBeReached(dirname(options.dataDir))) {
    note(`There are slot users, but they cannot reach ${options.dataDir}: tasks run as this runner's own user`);
    return null;
  }
  // They pass through to what is theirs; what else is there they cannot list.
  for (const name of ['.', 'tasks', 'requirements']) chmodSync(join(options.dataDir, name), 0o711);
  return new SlotUsers(users);
}

function isOurs(directory: string): boolean {
  const stat = lstatSync(directory);
  return stat.isDirectory() && stat.uid === process.getuid?.() && (stat.mode & 0o022) === 0;
}

/**
 * A directory in memory: secrets in it never reach a disk, and files in it cost next to nothing. Slot users pass through it to what is
 * theirs. On the disk where there is no shared memory, or where somebody else was quicker with its name.
 */
function openMemory(name: string, dataDir: string): string {
  const wanted = join('/dev/shm', `signalbox-${name}`);
  try {
    accessSync('/dev/shm', constants.W_OK);
    mkdirSync(wanted, { recursive: true, mode: 0o711 });
    if (isOurs(wanted)) return wanted;
  } catch {
    // No shared memory here, or none for us.
  }
  const onDisk = join(dataDir, 'scratch');
  mkdirSync(onDisk, { recursive: true, mode: 0o711 });
  return onDisk;
}

export function strayModeOfWorkshop(workshop: Workshop): StrayMode {
  if (workshop.cgroups !== null) return 'cgroup';
  return workshop.slots !== null ? 'uid' : 'scan';
}

/** Builds what all tasks share. What earlier runners left must have been taken over before. */
export function openWorkshop(options: RunnerOptions, link: ServerLink, note: (text: string) => void): Workshop {
  const instance = randomBytes(16).toString('hex');
  const { dataDir, toolEnv } = options;
  const mark = { [runnerMark]: makeRunnerMark(instance, dataDir) };
  const settingsFile = join(dataDir, 'gitconfig');
  writeGitSettings(settingsFile);
  const ask = join(dataDir, 'ask');
  writeAskScript(ask);
  const name = createHash('sha256').update(dataDir).digest('hex').slice(0, 12);
  const memory = openMemory(name, dataDir);
  const scratch = join(memory, instance);
  mkdirSync(scratch, { mode: 0o700 });
  const surroundings = { toolEnv, settingsFile, home: join(dataDir, 'home'), ask, mark };
  return {
    options,
    instance,
    owner: { pid: process.pid, start: readProcess(process.pid)?.start ?? '' },
    hostname: hostname(),
    user: userInfo().username,
    room: {
      caches: new RepositoryCaches(dataDir, scratch, surroundings),
      surroundings,
      localRoots: options.localRepositories,
      dataDir,
    },
    memory,
    scratch,
    ownEnv: { PATH: toolEnv.PATH ?? '', ...mark },
    fifos: new FifoPool(join(scratch, 'fifos')),
    cgroups: CgroupTree.open(name),
    slots: openSlots(options, note),
    reports: new ReportQueue(link, instance, note),
    uploader: new LogUploader(link),
    trash: new Trash(dataDir, note),
    stateDoor: new StateDoor(link, dataDir),
    note,
  };
}

export async function closeWorkshop(workshop: Workshop): Promise<void> {
  workshop.reports.stop();
  workshop.uploader.stop();
  workshop.stateDoor.stop();
  await workshop.trash.close();
  workshop.fifos.close();
  workshop.cgroups?.close();
  rmSync(workshop.scratch, { recursive: true, force: true });
  if (readdirSync(workshop.memory).length === 0) rmdirSync(workshop.memory);
}
