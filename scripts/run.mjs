// Runs a program to its end and keeps what it printed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { ROOT } from './node-26.mjs';

const PATIENCE = 2000;

/**
 * @typedef {{ code: number, output: string, stdout: string }} Outcome
 * @typedef {{ cwd?: string, env?: NodeJS.ProcessEnv, limitMs?: number }} RunOptions
 */

/**
 * Runs a program and resolves when it has ended; it never rejects for an exit code.
 * @param {string} file
 * @param {string[]} args
 * @param {RunOptions} [options] after `limitMs` the program is killed
 * @returns {Promise<Outcome>}
 */
export async function runProgram(file, args, options = {}) {
  const child = spawn(file, args, {
    cwd: options.cwd ?? ROOT,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: options.limitMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  try {
    const closed = once(child, 'close');
    const [code, signal] = await once(child, 'exit');
    // The rest of the output comes at once, unless a process that the program left behind holds the pipe open.
    await Promise.race([closed, setTimeout(PATIENCE, undefined, { ref: false })]);
    if (signal !== null) output += `\n${file} was ended by ${signal}\n`;
    return { code: code ?? 1, output, stdout };
  } catch (error) {
    return { code: 127, output: `${output}${file}: ${error instanceof Error ? error.message : error}\n`, stdout };
  }
}
