// Documents that promise something name the test that shows it. A list is complete only while each of these tests runs
// and passes.

/**
 * @typedef {{ id: string, test: string }} NamedTest
 * @typedef {{ id: string, problem: string }} MissingTest
 */

/** A row of a table: an id such as W7 in the first cell, a test's title as code in the last one. */
const ROW = /^\|\s*([A-Z]\d+)\s*\|.*\|\s*`(.+)`\s*\|$/gm;

/**
 * @param {string} text of a document
 * @returns {NamedTest[]}
 */
export function listNamedTests(text) {
  return [...text.matchAll(ROW)].map(([, id = '', test = '']) => ({ id, test }));
}

/**
 * @param {string} title of a test that ran
 * @param {string} name in a document
 */
function isNamed(title, name) {
  // Some titles end in what the test needs, in parentheses.
  return title === name || (title.startsWith(`${name} (`) && title.endsWith(')'));
}

/**
 * @param {NamedTest[]} named
 * @param {{ passed: readonly string[], skipped: readonly string[] }} titles of what ran; a skip was judged before
 * @returns {MissingTest[]}
 */
export function findMissingTests(named, { passed, skipped }) {
  return named.flatMap(({ id, test }) => {
    if (passed.some((title) => isNamed(title, test)) || skipped.some((title) => isNamed(title, test))) return [];
    return [{ id, problem: `No test "${test}" ran and passed.` }];
  });
}

/**
 * Ids that are not there, or stand twice, in a list that begins with 1 and has no gap.
 * @param {readonly { id: string }[]} named
 * @param {string} letter
 * @param {number} count
 * @returns {MissingTest[]}
 */
export function findMissingIds(named, letter, count) {
  const wanted = Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
  return wanted.flatMap((id) => {
    const found = named.filter((row) => row.id === id).length;
    return found === 1 ? [] : [{ id, problem: `It stands ${found} times in the list.` }];
  });
}
