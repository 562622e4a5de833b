import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('idle-memory.ts', import.meta.url));

/** Takes 40 MB, lets go of them and rests. @returns megabytes of the heap at the end */
function rest(flags: readonly string[]): number {
  const code = `
    import { giveMemoryBackWhenIdle } from ${JSON.stringify(program)};
    let taken = Array.from({ length: 500_000 }, (_, index) => ({ index, text: 'row ' + index }));
    giveMemoryBackWhenIdle(50);
    setTimeout(() => { taken = undefined; }, 10);
    setTimeout(() => console.log(process.memoryUsage().heapUsed), 1000);`;
  const words = [...flags, '--input-type=module', '--eval', code];
  return Number(execFileSync(process.execPath, words, { encoding: 'utf8' })) / 1e6;
}

test('what a burst has taken is given back when there is nothing to do', () => {
  expect(rest(['--expose-gc'])).toBeLessThan(20);
});

test('nothing is done where the process was started without the right to do it', () => {
  expect(rest([])).toBeGreaterThan(30);
});
