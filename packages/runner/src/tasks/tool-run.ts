import type { TaskLog } from '../log/task-log.ts';
import { Escalation, type EscalationStep } from '../process/escalation.ts';
import type { FifoPool } from '../process/fifo-pool.ts';
import type { SlotUser } from '../process/slot-users.ts';
import type { TaskProcesses } from '../process/task-processes.ts';
import type { Step } from '../tools/adapter.ts';
import { runStep, type StepEnd } from './run-step.ts';

export type ToolRoom = {
  readonly processes: TaskProcesses;
  readonly fifos: FifoPool;
  readonly owner: SlotUser | null;
  readonly log: TaskLog;
  readonly stop: EscalationStep[];
  /** For steps that lose nothing by it. */
  readonly stopWithoutCare: EscalationStep[];
  /** A process of the tool is there. */
  readonly onStarted: () => void;
};

/** The steps of one task, and the way to stop the one that runs. */
export class ToolRun {
  readonly #room: ToolRoom;
  #escalation: Escalation | null = null;
  #strays = 0;

  constructor(room: ToolRoom) {
    this.#room = room;
  }

  get processes(): TaskProcesses {
    return this.#room.processes;
  }

  /** Processes so far that a step left behind, and that had to be ended. */
  get strays(): number {
    return this.#strays;
  }

  async run(step: Step): Promise<StepEnd> {
    const { processes, stop, stopWithoutCare } = this.#room;
    this.#escalation = new Escalation(processes, step.losesNothing ? stopWithoutCare : stop);
    const end = await runStep(step, this.#room);
    this.#escalation.end();
    this.#countStrays(end.strays);
    return end;
  }

  /** Asks the step that runs to end, or kills it. May be repeated. */
  escalate(isHard: boolean): void {
    if (isHard) this.#escalation?.force();
    else this.#escalation?.begin();
  }

  #countStrays(count: number): void {
    this.#strays += count;
    if (count === 0) return;
    this.#room.log.say(`Ended ${count} ${count === 1 ? 'process' : 'processes'} that the task left behind`);
  }
}
