const inputs = ['scroll', 'wheel', 'keydown', 'pointerdown', 'touchmove'];
/** How long nothing was done before that is taken for a rest. */
const restMs = 2000;
/** For browsers that do not tell when a screen is drawn and rests. */
const drawnMs = 50;

/**
 * Does what can wait, one after the other, as long as nobody scrolls, types or presses anything: a script or a style sheet that
 * arrives holds up the next frame. Returns the end of it.
 * @param delayMs before the first, when nothing is done from the beginning
 */
export function workAtLeisure(works: readonly (() => Promise<unknown>)[], delayMs: number): () => void {
  const end = new AbortController();
  const waiting = [...works];
  let inputCount = 0;
  const goOn = async (): Promise<void> => {
    const before = inputCount;
    for (;;) {
      await waitForIdle();
      if (end.signal.aborted || inputCount !== before) return;
      const work = waiting.shift();
      if (work === undefined) return end.abort();
      await work();
    }
  };
  let timer = setTimeout(() => void goOn(), delayMs);
  const rest = (): void => {
    inputCount += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void goOn(), restMs);
  };
  for (const type of inputs) addEventListener(type, rest, { capture: true, passive: true, signal: end.signal });
  end.signal.addEventListener('abort', () => clearTimeout(timer));
  return () => end.abort();
}

function waitForIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(resolve);
    else setTimeout(resolve, drawnMs);
  });
}
