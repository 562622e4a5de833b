/** As deep as a cell may be nested in what lies over it. */
const looked = 8;

/** What was given a title, and is to lose it. */
const titled = new Set<Element>();

/**
 * Gives the whole of a text that is cut as a title while the pointer rests on it, on every screen: how much room a name has is
 * known only where it is drawn. Returns the end of it.
 */
export function tellCutTexts(): () => void {
  let frame = 0;
  const handleMove = ({ clientX, clientY }: PointerEvent): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(() => tell(clientX, clientY));
  };
  document.addEventListener('pointermove', handleMove, { passive: true });
  return () => {
    cancelAnimationFrame(frame);
    document.removeEventListener('pointermove', handleMove);
    forget(undefined);
  };
}

function tell(x: number, y: number): void {
  // The link of a row lies over its cells, so that what is seen is not always what is hit.
  const stack = document.elementsFromPoint(x, y).slice(0, looked);
  const hit = stack[0];
  const cut = stack.find((element) => isCut(element) || isNamed(element));
  if (hit === undefined || cut === undefined) return forget(undefined);
  const place = hit.contains(cut) || cut.contains(hit) ? cut : hit;
  forget(place);
  if (isNamed(place)) return;
  place.setAttribute('title', cut.getAttribute('title') ?? (cut.textContent ?? '').trim());
  titled.add(place);
}

function forget(kept: Element | undefined): void {
  for (const element of titled) {
    if (element === kept) continue;
    element.removeAttribute('title');
    titled.delete(element);
  }
}

/** It says more by itself. */
function isNamed(element: Element): boolean {
  return element.hasAttribute('title') && !titled.has(element);
}

function isCut(element: Element): boolean {
  if (element.scrollWidth <= element.clientWidth + 1) return false;
  const { overflowX } = getComputedStyle(element);
  return (overflowX === 'hidden' || overflowX === 'clip') && (element.textContent ?? '').trim() !== '';
}
