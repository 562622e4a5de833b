import type { Job } from '@signalbox/contract/job';
import type { Claim } from '../log/task-log.ts';

/** What a task is to do, and where. */
export type TaskPlan = {
  job: Job;
  claim: Claim;
  directory: string;
  /** Its directory for secrets and sockets. */
  secrets: string;
  /** A fetch that began at this time or later serves this task. */
  created: number;
};
