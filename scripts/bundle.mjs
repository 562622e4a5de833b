import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { ROOT } from './node-26.mjs';

/**
 * Makes one file of a program and all that it imports.
 * @param {string} entry below the root of the repository
 * @param {string} file
 * @param {{ sourcemap: boolean }} options
 */
export async function bundleProgram(entry, file, { sourcemap }) {
  const bundle = await rolldown({
    input: path.join(ROOT, entry),
    cwd: ROOT,
    platform: 'node',
    // pg loads its native sister only if someone installed it
    external: ['pg-native'],
    checks: { eval: false },
    onLog: (level, log) => {
      if (level === 'warn') throw new Error(`${entry}: ${log.message}`);
    },
  });
  await bundle.write({
    file,
    format: 'esm',
    sourcemap,
    codeSplitting: false,
    // CommonJS packages inside an ES module still ask for these
    banner:
      "import { createRequire as createRequireOfBundle } from 'node:module';\n" +
      'const require = createRequireOfBundle(import.meta.url);\n' +
      'const __filename = import.meta.filename;\nconst __dirname = import.meta.dirname;\n',
  });
  await bundle.close();
  await writeFile(file, escapeToAscii(await readFile(file, 'utf8')));
}

/**
 * V8 keeps the text of a program for as long as that runs, with two bytes for each character if only one of them is not ASCII: four
 * megabytes of an idle server. The map of the sources is a few columns off in a line that had one.
 * @param {string} code
 */
function escapeToAscii(code) {
  return code.replace(/(\\*)([^\0-\x7f])/g, (_, slashes, unit) => {
    // A character that is escaped although it need not be.
    const before = slashes.length % 2 === 1 ? slashes.slice(1) : slashes;
    return `${before}\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
