import type { RunnerOptions } from '../config.ts';
import type { Trash } from '../journal/trash.ts';
import type { LogUploader } from '../link/log-uploader.ts';
import type { ReportQueue } from '../link/report-queue.ts';
import type { StateDoor } from '../link/state-door.ts';
import type { CheckoutRoom } from '../prepare/tree-request.ts';
import type { CgroupTree } from '../process/cgroup.ts';
import type { FifoPool } from '../process/fifo-pool.ts';
import type { ProcessId } from '../process/process-table.ts';
import type { SlotUsers } from '../process/slot-users.ts';

/** What all tasks of one runner share. */
export type Workshop = {
  options: RunnerOptions;
  instance: string;
  /** This process. */
  owner: ProcessId;
  hostname: string;
  user: string;
  room: CheckoutRoom;
  /** A private directory in memory, for all instances of this data directory: what is in it must not stay. */
  memory: string;
  /** The part of it that is this instance's. */
  scratch: string;
  /** For the runner's own small programs. */
  ownEnv: Record<string, string>;
  fifos: FifoPool;
  cgroups: CgroupTree | null;
  slots: SlotUsers | null;
  reports: ReportQueue;
  uploader: LogUploader;
  trash: Trash;
  /** Where tools reach their states. */
  stateDoor: StateDoor;
  /** A line for the operator. */
  note: (text: string) => void;
};
