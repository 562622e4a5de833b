import type { CDPSession, Page } from 'playwright-core';

/** Of the trace event format: times in microseconds, `tdur` those in which the thread had a processor. */
type TraceEvent = { name: string; ph: string; pid: number; tid: number; ts: number; dur?: number; tdur?: number };

const taskName = 'ThreadControllerImpl::RunTask';
const frameName = 'FireAnimationFrame';

/**
 * Milliseconds of a processor that the main thread of a page needs from one frame to the next while something is done there.
 * Unlike the time between frames it says nothing about who else the machine works for.
 */
export async function measureFrameCosts(page: Page, work: () => Promise<unknown>): Promise<number[]> {
  const session = await page.context().newCDPSession(page);
  const events = await traceWork(session, work);
  await session.detach();
  const frames = events.filter(({ name }) => name === frameName);
  const main = frames[0];
  if (main === undefined) throw new Error('the trace has no frame');
  const tasks = events.filter(({ name, ph, pid, tid }) => {
    return name === taskName && ph === 'X' && pid === main.pid && tid === main.tid;
  });
  return sumByFrame(frames, tasks);
}

async function traceWork(session: CDPSession, work: () => Promise<unknown>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  // The protocol's own types know nothing of what is in it.
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const includedCategories = ['devtools.timeline', 'toplevel'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await work();
  const isComplete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await isComplete;
  return events.toSorted((one, other) => one.ts - other.ts);
}

function sumByFrame(frames: readonly TraceEvent[], tasks: readonly TraceEvent[]): number[] {
  const costs = frames.map(() => 0);
  let frame = 0;
  let end = 0;
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    // One inside another is counted with it.
    if (ts < end) continue;
    end = ts + dur;
    while ((frames[frame + 1]?.ts ?? Number.POSITIVE_INFINITY) <= ts) frame += 1;
    costs[frame] = (costs[frame] ?? 0) + tdur / 1000;
  }
  return costs;
}
