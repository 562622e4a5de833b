const inputs = ['scroll', 'wheel', 'keydown', 'pointerdown', 'touchmove'];
/** For browsers that do not tell when a screen is drawn and rests. */
const drawnMs = 50;

/**
 * Does what can wait, one after the other, as long as nobody scrolls, types or presses anything: a script or a style sheet that
 * arrives holds up the next frame. Returns the end of it.
 * @param restMs how long nothing was done before that is taken for leisure
 */
export function workAtLeisure(works: readonly (() => Promise<unknown>)[], restMs: number): () => void {
  const end = new AbortController();
  const waiting = [...works];
  let inputCount = 0;
  let timer: ReturnType<typeof setTimeout>;
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
  const rest = (): void => {
    inputCount += 1;
    clearTimeout(timer);
    timer = setTimeout(() => void goOn(), restMs);
  };
  for (const type of inputs) addEventListener(type, rest, { capture: true, passive: true, signal: end.signal });
  end.signal.addEventListener('abort', () => clearTimeout(timer));
  rest();
  return () => end.abort();
}

function waitForIdle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (typeof window.requestIdleCallback === 'function') window.requestIdleCallback(resolve);
    else setTimeout(resolve, drawnMs);
  });
}
