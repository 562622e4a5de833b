// A small tree that keeps every rule, and one planted file for each way of breaking one.

interface Plant {
  rule: string;
  file: string;
  text: string;
}

const server = 'packages/server/src';
const web = 'packages/web/src';

/** A module that imports the given ones and uses what it imports. */
function write(...modules: string[]): string {
  const imports = modules.map((module, index) => `import { value as value${index} } from '${module}';\n`);
  const names = modules.map((_, index) => `value${index}`);
  return `${imports.join('')}\nexport const value = [${names.join(', ')}].length;\n`;
}

export const cleanFiles: Record<string, string> = {
  'packages/contract/src/keys.ts': write('zod/mini'),
  'packages/runner/src/main.ts': write('node:child_process', '../../contract/src/keys.ts'),
  'e2e/fixture.ts': write(),
  [`${server}/main.ts`]: write('./app.ts'),
  [`${server}/app.ts`]: write(
    './features/keys/routes.ts',
    './http/register.ts',
    './engine/builtin-runner.ts',
    'fastify',
  ),
  [`${server}/http/register.ts`]: write('fastify', '../auth/session.ts'),
  [`${server}/db/open.ts`]: write('kysely'),
  [`${server}/auth/session.ts`]: write('../db/open.ts'),
  [`${server}/engine/builtin-runner.ts`]: write('node:child_process', '../db/open.ts'),
  [`${server}/features/keys/queries.ts`]: write('../../db/open.ts'),
  [`${server}/features/keys/keys.ts`]: write('./queries.ts', '../../engine/builtin-runner.ts'),
  [`${server}/features/keys/routes.ts`]: write(
    './keys.ts',
    '../../http/register.ts',
    '../../../../contract/src/keys.ts',
  ),
  [`${server}/features/tasks/tasks.ts`]: write('../keys/keys.ts'),
  [`${server}/test/start-server.ts`]: write('../app.ts'),
  [`${web}/main.tsx`]: write('./app/shell.tsx'),
  [`${web}/app/shell.tsx`]: write('../features/keys/keys-screen.tsx'),
  [`${web}/features/keys/keys-screen.tsx`]: write('../../ui/chip.tsx', '../../lib/api.ts', '@tanstack/react-query'),
  [`${web}/ui/chip.tsx`]: write('../lib/dates.ts'),
  [`${web}/lib/dates.ts`]: write(),
  [`${web}/lib/api.ts`]: write('../../../contract/src/keys.ts'),
};

function arrow(rule: string, file: string, ...modules: string[]): Plant {
  return { rule, file, text: write(...modules) };
}

/** The other half of a planted pair; the tool reports a pair once. */
export const companionFiles: Record<string, string> = { [`${server}/cycle-b.ts`]: write('./cycle-a.ts') };

export const plantedArrows: Plant[] = [
  arrow('no-cycles', `${server}/cycle-a.ts`, './cycle-b.ts'),
  arrow('declared-dependencies-only', `${server}/undeclared-package.ts`, 'undeclared'),
  arrow('resolvable-only', `${server}/nowhere.ts`, './there-is-no-such-file.ts'),
  arrow('no-test-code-in-production', `${server}/uses-test-code.ts`, './test/start-server.ts'),
  arrow('tools-are-not-imported', `${server}/uses-a-story.ts`, '../../../e2e/fixture.ts'),

  arrow('contract-is-a-leaf', 'packages/contract/src/uses-npm.ts', 'kysely'),
  arrow('contract-is-a-leaf', 'packages/contract/src/uses-node.ts', 'node:crypto'),
  arrow('contract-is-a-leaf', 'packages/contract/src/uses-server.ts', '../../server/src/db/open.ts'),
  arrow('contract-tests-stay-home', 'packages/contract/src/a.test.ts', '../../server/src/db/open.ts'),
  arrow('runner-sees-contract-only', 'packages/runner/src/uses-server.ts', '../../server/src/db/open.ts'),
  arrow('runner-sees-contract-only', 'packages/runner/src/uses-web.ts', '../../web/src/lib/dates.ts'),
  arrow('server-never-runner', `${server}/uses-runner.ts`, '../../runner/src/main.ts'),
  {
    rule: 'server-never-runner',
    file: `${server}/uses-runner-type.ts`,
    text: "import type { value } from '../../runner/src/main.ts';\n\nexport type Value = typeof value;\n",
  },
  {
    rule: 'server-never-runner',
    file: `${server}/uses-runner-later.ts`,
    text: "export const value = await import('../../runner/src/main.ts');\n",
  },
  {
    rule: 'server-never-runner',
    file: `${server}/uses-runner-using.ts`,
    text: "export async function go() {\n  using value = (await import('../../runner/src/main.ts')).value;\n}\n",
  },
  arrow('server-never-web', `${server}/uses-web.ts`, '../../web/src/lib/dates.ts'),
  arrow('web-sees-contract-only', `${web}/lib/uses-server.ts`, '../../../server/src/db/open.ts'),
  arrow('web-sees-contract-only', `${web}/lib/uses-runner.ts`, '../../../runner/src/main.ts'),

  arrow('app-is-the-top', `${server}/features/keys/uses-app.ts`, '../../app.ts'),
  arrow('app-is-the-top', `${server}/engine/uses-main.ts`, '../main.ts'),
  arrow('platform-not-features', `${server}/engine/uses-feature.ts`, '../features/keys/keys.ts'),
  arrow('platform-not-features', `${server}/auth/uses-feature.ts`, '../features/keys/keys.ts'),
  arrow('platform-not-features', `${server}/http/uses-feature.ts`, '../features/keys/keys.ts'),
  arrow('platform-not-features', `${server}/db/uses-feature.ts`, '../features/keys/keys.ts'),
  arrow('db-is-the-bottom', `${server}/db/uses-engine.ts`, '../engine/builtin-runner.ts'),
  arrow('db-is-the-bottom', `${server}/db/uses-auth.ts`, '../auth/session.ts'),
  arrow('engine-and-auth-are-strangers', `${server}/engine/uses-auth.ts`, '../auth/session.ts'),
  arrow('engine-and-auth-are-strangers', `${server}/auth/uses-engine.ts`, '../engine/builtin-runner.ts'),
  arrow('engine-and-auth-are-strangers', `${server}/notifications/uses-engine.ts`, '../engine/builtin-runner.ts'),
  arrow('http-is-known-to-app-and-routes', `${server}/engine/uses-http.ts`, '../http/register.ts'),
  arrow('http-is-known-to-app-and-routes', `${server}/engine/uses-ws.ts`, 'ws'),
  arrow('http-is-known-to-app-and-routes', `${server}/auth/uses-http.ts`, 'fastify'),
  arrow('http-is-known-to-app-and-routes', `${server}/db/uses-http.ts`, '../http/register.ts'),
  arrow('http-is-known-to-app-and-routes', `${server}/features/keys/rules-with-http.ts`, '../../http/register.ts'),
  arrow('features-meet-in-rules', `${server}/features/tasks/uses-queries.ts`, '../keys/queries.ts'),
  arrow('features-meet-in-rules', `${server}/features/tasks/uses-routes.ts`, '../keys/routes.ts'),
  arrow('server-starts-only-its-runner', `${server}/engine/spawns.ts`, 'node:child_process'),
  arrow('server-starts-only-its-runner', `${server}/features/keys/spawns.ts`, 'child_process'),

  arrow('features-are-islands', `${web}/features/tasks/uses-feature.tsx`, '../keys/keys-screen.tsx'),
  arrow('features-are-islands', `${web}/features/tasks/uses-app.tsx`, '../../app/shell.tsx'),
  arrow('ui-and-lib-are-leaves', `${web}/ui/uses-feature.tsx`, '../features/keys/keys-screen.tsx'),
  arrow('ui-and-lib-are-leaves', `${web}/lib/uses-app.ts`, '../app/shell.tsx'),
  arrow('lib-knows-no-ui', `${web}/lib/uses-ui.ts`, '../ui/chip.tsx'),
  arrow('app-knows-no-main', `${web}/app/uses-main.tsx`, '../main.tsx'),
  arrow('ui-never-fetches', `${web}/ui/uses-query.tsx`, '@tanstack/react-query'),
  arrow('ui-never-fetches', `${web}/ui/uses-api.tsx`, '../lib/api.ts'),
  arrow('web-runs-in-the-browser', `${web}/lib/uses-node.ts`, 'node:path'),
];

function style(rule: string, file: string, text: string): Plant {
  return { rule, file, text };
}

const longLines = (count: number) => Array.from({ length: count }, (_, index) => `  total += ${index};\n`).join('');

export const plantedStyles: Plant[] = [
  style('noProcessEnv', `${server}/style/env.ts`, 'export const home = process.env.HOME;\n'),
  style('noRestrictedImports', `${server}/style/env-import.ts`, "export { env } from 'node:process';\n"),
  style('noExplicitAny', `${server}/style/any.ts`, 'export let value: any;\n'),
  style('noNonNullAssertion', `${server}/style/non-null.ts`, 'export const f = (a?: string) => a!.length;\n'),
  style('noDefaultExport', `${server}/style/default.ts`, 'export default 1;\n'),
  style('noBarrelFile', `${server}/style/index.ts`, "export { value } from '../db/open.ts';\n"),
  style('noReExportAll', `${server}/style/all.ts`, "export * from '../db/open.ts';\n"),
  style('useFilenamingConvention', `${server}/style/CamelCase.ts`, 'export const value = 1;\n'),
  style('noConsole', `${server}/style/console.ts`, "console.log('x');\n"),
  style('noEnum', `${server}/style/enum.ts`, 'export enum Colour {\n  red,\n}\n'),
  style('noFloatingPromises', `${server}/style/floating.ts`, 'async function go() {}\n\ngo();\n'),
  style('noUndeclaredDependencies', `${server}/style/undeclared.ts`, "import 'undeclared';\n"),
  style('noEmptyBlockStatements', `${server}/style/swallow.ts`, 'try {\n  await 1;\n} catch {}\n'),
  style('noUnusedVariables', `${server}/style/unused.ts`, 'const unused = 1;\n'),
  style('useMaxParams', `${server}/style/params.ts`, 'export const f = (a, b, c, d, e, g) => a + b + c + d + e + g;\n'),
  style('noExcessiveLinesPerFile', `${server}/style/long-file.ts`, `let total = 0;\n${longLines(301)}`),
  style(
    'noExcessiveLinesPerFunction',
    `${server}/style/long-function.ts`,
    `export function add() {\n  let total = 0;\n${longLines(60)}  return total;\n}\n`,
  ),
  style(
    'noSkippedTests',
    `${server}/style/skipped.test.ts`,
    "import { test } from 'vitest';\n\ntest.skip('x', () => {});\n",
  ),
  style(
    'noFocusedTests',
    `${server}/style/only.test.ts`,
    "import { test } from 'vitest';\n\ntest.only('x', () => {});\n",
  ),
  style('noRestrictedImports', `${server}/style/exec.ts`, "import { exec } from 'node:child_process';\n\nexec('x');\n"),
  style('noRestrictedImports', `${server}/style/zod.ts`, "import { z } from 'zod';\n\nexport const S = z.string();\n"),
  style('no-shell', `${server}/style/shell.ts`, 'export const options = { shell: true };\n'),
  style(
    'no-shell',
    'packages/runner/src/shell-text.ts',
    "import { spawn } from 'node:child_process';\n\nspawn('x', [], { shell: '/bin/sh' });\n",
  ),
  style('noRestrictedGlobals', 'packages/contract/src/buffer.ts', 'export const empty = Buffer.alloc(0);\n'),
  style('noRestrictedGlobals', `${web}/ui/fetches.tsx`, "export const load = () => fetch('/api');\n"),
  style(
    'noDangerouslySetInnerHtml',
    `${web}/ui/html.tsx`,
    'export const View = () => <p dangerouslySetInnerHTML={{ __html: "x" }} />;\n',
  ),
];
