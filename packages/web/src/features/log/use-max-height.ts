import { useState } from 'react';

const wanted = 33_000_000;
let measured: number | undefined;

/** The highest element that this browser lays out (17.9 million pixels in Firefox, 33.5 in others), with room to spare. */
export function useMaxHeight(): number {
  const [height] = useState(() => {
    measured ??= measureMaxHeight();
    return measured;
  });
  return height;
}

function measureMaxHeight(): number {
  const probe = document.createElement('div');
  probe.style.cssText = `position:absolute;visibility:hidden;width:1px;height:${wanted}px`;
  document.body.append(probe);
  const height = probe.getBoundingClientRect().height;
  probe.remove();
  return Math.max(1_000_000, Math.floor(height * 0.95));
}
