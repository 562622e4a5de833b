import type { TaskProcesses } from './task-processes.ts';

/** A signal, and how many seconds after the first one it is due. */
export type EscalationStep = { signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'; after: number };

/** Interrupt, ask again, kill: for tools that lose nothing by a second signal. */
export const threeSteps: EscalationStep[] = [
  { signal: 'SIGINT', after: 0 },
  { signal: 'SIGTERM', after: 10 },
  { signal: 'SIGKILL', after: 30 },
];

/** Interrupt and wait: for tools that lose their state by a second signal. */
export const interruptOnce: EscalationStep[] = [
  { signal: 'SIGINT', after: 0 },
  { signal: 'SIGKILL', after: 300 },
];

/** The plan with another time for the kill; steps that would come later than it fall away. */
export function withGrace(plan: EscalationStep[], grace: number | null): EscalationStep[] {
  if (grace === null) return plan;
  const gentle = plan.filter((step) => step.signal !== 'SIGKILL' && (step.after === 0 || step.after < grace));
  return [...gentle, { signal: 'SIGKILL', after: grace }];
}

/** The way for a step that loses nothing: not slower than any tool is stopped. */
export function withoutCare(grace: number | null): EscalationStep[] {
  const last = threeSteps.at(-1)?.after ?? 0;
  return withGrace(threeSteps, Math.min(last, grace ?? last));
}

/** Stops a tool step by step. A step that has been taken is never taken back. */
export class Escalation {
  readonly #processes: TaskProcesses;
  readonly #plan: EscalationStep[];
  #timers: NodeJS.Timeout[] = [];
  #hasBegun = false;

  constructor(processes: TaskProcesses, plan: EscalationStep[]) {
    this.#processes = processes;
    this.#plan = plan;
  }

  /** Does nothing while there is no tool to be stopped. */
  begin(): void {
    // Before the tool is there, nobody would hear it: who starts the tool asks again.
    if (this.#hasBegun || !this.#processes.isLed) return;
    this.#hasBegun = true;
    for (const { signal, after } of this.#plan) {
      if (after === 0) this.#send(signal);
      else this.#timers.push(setTimeout(() => this.#send(signal), after * 1000));
    }
  }

  force(): void {
    this.end();
    this.#hasBegun = true;
    this.#send('SIGKILL');
  }

  /** The interrupt goes to the tool's group, which passes it on as it sees fit; what comes later goes to all there is. */
  #send(signal: NodeJS.Signals): void {
    this.#processes.signal(signal, signal !== 'SIGINT');
  }

  end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
  }
}
