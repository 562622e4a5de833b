// Runs a program to its end and keeps what it printed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './node-26.mjs';

/**
 * @typedef {{ code: number, output: string, stdout: string }} Outcome
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, show?: boolean }} RunOptions
 */

/**
 * Runs a program and resolves when it has ended; it never rejects for an exit code.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options] `show` also prints the output while it arrives.
 * @returns {Promise<Outcome>}
 */
export async function runProgram(file, args, options = {}) {
  const child = spawn(file, args, {
    cwd: options.cwd ?? ROOT,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    stdout += text;
    if (options.show) process.stdout.write(text);
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
    if (options.show) process.stderr.write(text);
  });
  try {
    const [code] = await once(child, 'close');
    return { code: code ?? 1, output, stdout };
  } catch (error) {
    return { code: 127, output: `${output}${file}: ${error instanceof Error ? error.message : error}\n`, stdout };
  }
}
