// Reads what vitest wrote about one suite and judges it: a suite without a test fails, and so does a test that was
// skipped without a reason in its name.

/**
 * @typedef {{ title: string, fullName: string, ancestorTitles: string[], status: string, failureMessages?: string[] }} TestRecord
 * @typedef {{ name: string, status: string, message?: string, assertionResults: TestRecord[] }} FileRecord
 * @typedef {{ testResults: FileRecord[] }} VitestReport
 * @typedef {{ name: string, message: string }} Failure
 * @typedef {{ passed: number, failures: Failure[], skipped: string[] }} Tally
 */

/** Tools that no package brings; where they are absent, their real tests are skipped even in CI. */
const OPTIONAL_TOOLS = /\b(terraform|tofu|pulumi|pwsh)\b/;
/** The reason, at the end of the name of the test or of a group around it: "(needs root)". */
const REASON = /\(([^()]+ [^()]+)\)$/;

/**
 * @param {VitestReport} report
 * @param {{ isCi: boolean }} options
 * @returns {Tally}
 */
export function tallyReport(report, options) {
  /** @type {Tally} */
  const tally = { passed: 0, failures: [], skipped: [] };
  for (const file of report.testResults) tallyFile(tally, file, options);
  if (tally.passed + tally.failures.length + tally.skipped.length === 0) {
    tally.failures.push({ name: 'the suite', message: 'There is no test in it.' });
  }
  return tally;
}

/**
 * Titles of the tests that ended in one way.
 * @param {VitestReport} report
 * @param {(status: string) => boolean} isWanted
 */
export function listTitles(report, isWanted) {
  return report.testResults.flatMap((file) =>
    file.assertionResults.filter(({ status }) => isWanted(status)).map(({ title }) => title),
  );
}

/**
 * @param {Tally} tally
 * @param {FileRecord} file
 * @param {{ isCi: boolean }} options
 */
function tallyFile(tally, file, options) {
  const before = tally.failures.length;
  for (const test of file.assertionResults) {
    if (test.status === 'passed') tally.passed += 1;
    else if (test.status === 'failed') {
      tally.failures.push({ name: test.fullName, message: (test.failureMessages ?? []).join('\n') });
    } else {
      const fault = findFaultOfSkip(test, options);
      if (fault === undefined) tally.skipped.push(test.fullName);
      else tally.failures.push({ name: test.fullName, message: fault });
    }
  }
  // A file that could not be loaded, or whose clean-up failed, has no failed test to show for it.
  const hasOwnFailure = file.status === 'failed' && tally.failures.length === before;
  if (hasOwnFailure || file.assertionResults.length === 0) {
    tally.failures.push({ name: file.name, message: file.message || 'There is no test in it.' });
  }
}

/**
 * @param {TestRecord} test
 * @param {{ isCi: boolean }} options
 * @returns {string | undefined}
 */
function findFaultOfSkip(test, { isCi }) {
  const reason = [...test.ancestorTitles, test.title].map((title) => REASON.exec(title)?.[1]).find(Boolean);
  if (reason === undefined) return 'It was skipped, and its name does not end in a reason in parentheses.';
  if (isCi && !OPTIONAL_TOOLS.test(reason)) return `It was skipped in CI, where everything must be there: ${reason}.`;
  return undefined;
}
