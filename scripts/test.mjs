// npm test: installs what is missing, builds what is stale, runs the checks and every suite, and ends with one line
// over all of them. `npm test -- unit api` runs only the named suites, `npm test -- --list` says what a run would do.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildStale } from './build-stale.mjs';
import { runChecks } from './checks.mjs';
import { installPackages } from './install.mjs';
import { findMissingTests, listNamedTests } from './named-tests.mjs';
import { buildEnvironment, findProgram, ROOT } from './node-26.mjs';
import { runProgram } from './run.mjs';
import { canInstall, installSystemPackages, listMissingPackages } from './system-packages.mjs';
import { listTitles, tallyReport } from './test-report.mjs';

/** @typedef {import('./test-report.mjs').Tally} Tally */

/** Longer than any suite takes, shorter than the patience of a build server. */
const SUITE_LIMIT = 55 * 60_000;
const CHECKS = 'checks';
/** Documents whose promises name the tests that show them. */
const PROMISES = ['docs/reliability.md', 'docs/console.md', 'docs/security.md'];
/** @type {{ name: string, title: string, projects: string[], env?: Record<string, string> }[]} */
const SUITES = [
  { name: 'unit', title: 'unit', projects: ['contract', 'web', 'scripts'] },
  { name: 'api', title: 'API on SQLite', projects: ['server'] },
  { name: 'postgres', title: 'API on PostgreSQL', projects: ['server'], env: { SIGNALBOX_TEST_DATABASE: 'postgres' } },
  { name: 'runner', title: 'runner', projects: ['runner'] },
  { name: 'start', title: 'start', projects: ['start'] },
  { name: 'browser', title: 'browser', projects: ['e2e'] },
];

const isCi = process.env.CI === 'true';
if (process.argv.includes('--list')) {
  printPlan();
  process.exit(0);
}
const chosen = process.argv.slice(2);
const known = [CHECKS, ...SUITES.map(({ name }) => name)];
const unknown = chosen.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no suite ${unknown.join(', ')}; there are ${known.join(', ')}.`);
  process.exit(1);
}
/** @type {Tally} */
const total = { passed: 0, failures: [], skipped: [] };
/**
 * Titles of the tests of all suites.
 * @type {{ passed: string[], skipped: string[] }}
 */
const seen = { passed: [], skipped: [] };

/** @param {string} name */
const isChosen = (name) => chosen.length === 0 || chosen.includes(name);

try {
  await prepare();
  if (isChosen('browser')) await runStep('build', tallyBuild);
  if (isChosen(CHECKS)) await runStep('checks', tallyChecks);
  for (const suite of SUITES) if (isChosen(suite.name)) await runStep(suite.title, () => runSuite(suite));
  if (chosen.length === 0) await runStep('promises', tallyPromises);
} catch (error) {
  total.failures.push({ name: 'preparation', message: error instanceof Error ? error.message : String(error) });
}
printEnd();
process.exitCode = total.failures.length === 0 ? 0 : 1;

/** What would be run here, and what would not. */
function printPlan() {
  console.log(`Suites: ${[CHECKS, ...SUITES.map(({ name }) => name)].join(', ')}.`);
  const missing = listMissingPackages();
  if (missing.length === 0) console.log('Every program that they need is there.');
  else if (canInstall()) console.log(`To be installed first: ${missing.join(', ')}.`);
  else console.log(describeLeftOut(missing));
  sayWhatNeedsRoot();
}

function sayWhatNeedsRoot() {
  if (process.getuid?.() !== 0) console.log('Left out, as they need root: the tests whose names say so.');
}

/** @param {string[]} missing */
function describeLeftOut(missing) {
  return `Left out, as they are not installed and cannot be installed here: ${missing.join(', ')}.`;
}

async function prepare() {
  await installPackages();
  sayWhatNeedsRoot();
  const needs = ['browser', 'runner', 'api', 'postgres'].some(isChosen);
  const missing = needs ? await installSystemPackages() : [];
  if (missing.length > 0) {
    console.log(describeLeftOut(missing));
    if (isCi)
      total.failures.push({ name: 'preparation', message: `In CI these must be there: ${missing.join(', ')}.` });
  }
}

/** @returns {Promise<Tally>} */
async function tallyBuild() {
  try {
    await buildStale();
    return { passed: 1, failures: [], skipped: [] };
  } catch (error) {
    return failWhole(error instanceof Error ? error.message : String(error));
  }
}

/**
 * @param {string} title
 * @param {() => Promise<Tally>} work
 */
async function runStep(title, work) {
  const begin = Date.now();
  const { passed, failures, skipped } = await work();
  total.passed += passed;
  total.failures.push(...failures.map(({ name, message }) => ({ name: `${title}: ${name}`, message })));
  total.skipped.push(...skipped.map((name) => `${title}: ${name}`));
  const counts = `${passed} passed, ${failures.length} failed, ${skipped.length} skipped`;
  console.log(`${title.padEnd(20)} ${counts.padEnd(40)} ${((Date.now() - begin) / 1000).toFixed(0)} s`);
}

/** @returns {Promise<Tally>} */
async function tallyChecks() {
  const results = await runChecks();
  return {
    passed: results.filter(({ passed }) => passed).length,
    failures: results.filter(({ passed }) => !passed).map(({ name, report }) => ({ name, message: report })),
    skipped: [],
  };
}

/** Whether every test that a document names was run, and passed. @returns {Promise<Tally>} */
async function tallyPromises() {
  /** @type {Tally} */
  const tally = { passed: 0, failures: [], skipped: [] };
  for (const file of PROMISES) {
    const named = listNamedTests(await readFile(path.join(ROOT, file), 'utf8'));
    const missing = findMissingTests(named, seen);
    tally.passed += named.length - missing.length;
    tally.failures.push(...missing.map(({ id, problem }) => ({ name: `${file} ${id}`, message: problem })));
  }
  return tally;
}

/**
 * @param {typeof SUITES[number]} suite
 * @returns {Promise<Tally>}
 */
async function runSuite({ projects, env }) {
  const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-results-'));
  const file = path.join(folder, 'results.json');
  const args = ['run', '--reporter=json', `--outputFile=${file}`, ...projects.map((name) => `--project=${name}`)];
  try {
    const outcome = await runProgram(findProgram('vitest'), args, {
      env: buildTestEnvironment(env),
      limitMs: SUITE_LIMIT,
    });
    const text = await readFile(file, 'utf8').catch(() => undefined);
    if (text === undefined)
      return failWhole(`It ended with exit code ${outcome.code} and no result.\n${outcome.output}`);
    const report = JSON.parse(text);
    seen.passed.push(...listTitles(report, (status) => status === 'passed'));
    seen.skipped.push(...listTitles(report, (status) => status !== 'passed' && status !== 'failed'));
    const tally = tallyReport(report, { isCi });
    const isUnexplained = outcome.code !== 0 && tally.failures.length === 0;
    return isUnexplained ? failWhole(`It ended with exit code ${outcome.code}.\n${outcome.output}`, tally) : tally;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * @param {string} message
 * @param {Tally} [tally]
 * @returns {Tally}
 */
function failWhole(message, tally = { passed: 0, failures: [], skipped: [] }) {
  return { ...tally, failures: [...tally.failures, { name: 'as a whole', message }] };
}

/**
 * The settings of whoever runs the tests are not part of the tests.
 * @param {Record<string, string>} [extra]
 */
function buildTestEnvironment(extra = {}) {
  const entries = Object.entries(buildEnvironment()).filter(([name]) => !/^(SIGNALBOX|SEMAPHORE|npm)_/.test(name));
  return { ...Object.fromEntries(entries), LANG: 'C.UTF-8', NO_COLOR: '1', ...extra };
}

function printEnd() {
  for (const { name, message } of total.failures) console.log(`\nFAILED ${name}\n${message.trimEnd()}`);
  if (total.skipped.length > 0) console.log(`\nSkipped:\n${total.skipped.map((name) => `  ${name}`).join('\n')}`);
  if (total.failures.length > 0) console.log(`\nFailed:\n${total.failures.map(({ name }) => `  ${name}`).join('\n')}`);
  console.log(`\n${total.passed} passed, ${total.failures.length} failed, ${total.skipped.length} skipped`);
}
