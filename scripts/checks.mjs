// The checks that read the sources: format and lint, the arrows between modules, types, and what nobody uses.

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { buildEnvironment, findProgram, ROOT } from './node-26.mjs';
import { runProgram } from './run.mjs';

const SOURCE_FOLDERS = ['packages', 'e2e', 'bench', 'scripts'];
const SOURCE_FILE = /[.](tsx?|mjs)$/;
const LEFT_OUT = /(^|\/)(node_modules|dist)(\/|$)|[.]d[.]ts$/;

/**
 * @typedef {{ name: string, passed: boolean, seconds: number, report: string }} CheckResult
 * @typedef {{ from: string, to: string, rule: { name: string } }} Violation
 * @typedef {{ modules: { source: string }[], summary: { violations: Violation[], ruleSetUsed: { forbidden: { name: string, comment: string }[] } } }} Cruise
 */

/**
 * Runs every check, two at a time, and reports each one as soon as it has ended.
 * @param {(result: CheckResult) => void} [report]
 * @returns {Promise<CheckResult[]>}
 */
export async function runChecks(report) {
  const waiting = [
    ...listTypeScriptProjects().map((folder) => () => checkTypes(folder)),
    () => checkStyle(),
    () => checkArrows(),
    () => checkUse(),
  ];
  /** @type {CheckResult[]} */
  const results = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const result = await next();
      results.push(result);
      report?.(result);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

/** @returns {string[]} folders with a tsconfig.json of their own, the root among them */
function listTypeScriptProjects() {
  const packages = readdirSync(path.join(ROOT, 'packages')).map((name) => `packages/${name}`);
  return ['.', 'e2e', 'bench', ...packages].filter((folder) => existsSync(path.join(ROOT, folder, 'tsconfig.json')));
}

/**
 * @param {string} name
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<CheckResult>}
 */
async function runCheck(name, program, args) {
  const begin = Date.now();
  const { code, output } = await runProgram(findProgram(program), args, { env: buildEnvironment({ NO_COLOR: '1' }) });
  return { name, passed: code === 0, seconds: (Date.now() - begin) / 1000, report: output };
}

/** @param {string} folder */
function checkTypes(folder) {
  return runCheck(`types ${folder === '.' ? 'scripts' : folder}`, 'tsc', ['-p', folder, '--pretty', 'false']);
}

function checkStyle() {
  // A rule is an error or it is off: a warning that someone adds by mistake fails too.
  return runCheck('style', 'biome', ['check', '--error-on-warnings', '--max-diagnostics=50', '.']);
}

function checkUse() {
  return runCheck('unused', 'knip', ['--no-progress', '--no-config-hints']);
}

/** @returns {Promise<CheckResult>} */
async function checkArrows() {
  const begin = Date.now();
  const args = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', ...SOURCE_FOLDERS];
  const outcome = await runProgram(findProgram('depcruise'), args, { env: buildEnvironment({ NO_COLOR: '1' }) });
  const report = readCruise(outcome);
  return { name: 'arrows', passed: report === '', seconds: (Date.now() - begin) / 1000, report };
}

/** @param {{ stdout: string, output: string }} outcome */
function readCruise({ stdout, output }) {
  /** @type {Cruise} */
  let cruise;
  try {
    cruise = JSON.parse(stdout);
  } catch {
    // no JSON: the tool failed before it looked at anything, and its own words are the report
    return output === '' ? 'dependency-cruiser printed nothing\n' : output;
  }
  const hints = new Map(cruise.summary.ruleSetUsed.forbidden.map((rule) => [rule.name, rule.comment]));
  const lines = cruise.summary.violations.map(
    ({ rule, from, to }) => `${from} -> ${to}\n    ${rule.name}: ${hints.get(rule.name)}`,
  );
  // A cruiser that cannot read TypeScript sees no module and finds no fault; so what it saw is compared with the disk.
  const seen = new Set(cruise.modules.map((module) => module.source));
  const unseen = listSources().filter((file) => !seen.has(file));
  if (unseen.length > 0) lines.push(`not seen by dependency-cruiser: ${unseen.join(', ')}`);
  return lines.map((line) => `${line}\n`).join('');
}

/** @returns {string[]} */
function listSources() {
  return SOURCE_FOLDERS.flatMap((folder) =>
    readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => path.posix.join(folder, file))
      .filter((file) => SOURCE_FILE.test(file) && !LEFT_OUT.test(file)),
  );
}
