// The arrows of the house, checked. ARCHITECTURE.md says why they point the way they do; scripts/fences.test.ts plants
// a violation of every rule below and sees it refused.

import { Visitor } from '@swc/core/Visitor.js';

const SERVER = '^packages/server/src/';
const WEB = '^packages/web/src/';
const TEST = '[.](test|story)[.]tsx?$|/src/test/';
const HTTP_LIBRARIES = '^node_modules/(fastify|@fastify|ws|fastify-plugin)/';
const ROUTES_FILE = '/[a-z0-9-]*routes[.]ts$';

/**
 * Every rule is an error; `hint` tells the reader what to do instead.
 * @param {string} name
 * @param {string} hint
 * @param {object} from
 * @param {object} to
 */
function forbid(name, hint, from, to) {
  return { name, severity: 'error', comment: hint, from, to };
}

const everywhere = [
  forbid('no-cycles', 'Move the shared part out, or merge the two files.', {}, { circular: true }),
  forbid(
    'declared-dependencies-only',
    'npm hoists, so an undeclared package still resolves here and nowhere else. Declare it or drop it.',
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  forbid('resolvable-only', 'The import points at nothing.', {}, { couldNotResolve: true }),
  forbid(
    'no-test-code-in-production',
    'Move what both need into the module itself.',
    { path: '^packages/', pathNot: TEST },
    { path: TEST },
  ),
  forbid(
    'tools-are-not-imported',
    'Stories, benchmarks and scripts use the product; the product never uses them.',
    { path: '^packages/' },
    { path: '^(e2e|bench|scripts)/' },
  ),
];

// web -> contract <- runner, server -> contract: server and runner meet only in the protocol.
const betweenPackages = [
  forbid(
    'contract-is-a-leaf',
    'The contract imports zod and nothing else: it runs in browsers, servers and runners alike.',
    { path: '^packages/contract/', pathNot: TEST },
    { pathNot: ['^packages/contract/', '^node_modules/zod/'] },
  ),
  forbid(
    'contract-tests-stay-home',
    'A test of the contract needs no other package.',
    { path: '^packages/contract/' },
    { path: '^packages/(?!contract/)' },
  ),
  forbid(
    'runner-sees-contract-only',
    'The runner is installable alone. What it shares with the server is the protocol in the contract.',
    { path: '^packages/runner/' },
    { path: '^packages/(?!runner/|contract/)' },
  ),
  forbid(
    'server-never-runner',
    'The server talks to its runner through the protocol, as to any other runner.',
    { path: '^packages/server/' },
    { path: '^packages/runner/' },
  ),
  forbid(
    'server-never-web',
    'The server serves the built console as files.',
    { path: '^packages/server/' },
    { path: '^packages/web/' },
  ),
  forbid(
    'web-sees-contract-only',
    'The console knows the server by its routes.',
    { path: '^packages/web/' },
    { path: '^packages/(?!web/|contract/)' },
  ),
];

// main -> app -> features -> engine, auth, notifications -> db
const insideServer = [
  forbid(
    'app-is-the-top',
    'Take what is needed as an argument; app.ts hands it down.',
    { path: `${SERVER}(features|engine|auth|notifications|db|http)/`, pathNot: TEST },
    { path: `${SERVER}(main|app|cli)[.]ts$` },
  ),
  forbid(
    'platform-not-features',
    'Where the engine must tell a feature something, app.ts passes a callback at start.',
    { path: `${SERVER}(db|http|auth|engine|notifications)/`, pathNot: TEST },
    { path: `${SERVER}features/` },
  ),
  forbid(
    'db-is-the-bottom',
    'The database layer knows none of the others.',
    { path: `${SERVER}db/`, pathNot: TEST },
    { path: `${SERVER}(engine|auth|notifications|http)/` },
  ),
  forbid(
    'engine-and-auth-are-strangers',
    'They meet in a feature or in app.ts; what both need lies in db/.',
    { path: `${SERVER}(engine|auth|notifications)/`, pathNot: TEST },
    { path: `${SERVER}(?!$1/)(engine|auth|notifications)/` },
  ),
  forbid(
    'http-is-known-to-app-and-routes',
    'Rules, queries, engine, auth and db can be called without a request.',
    { path: SERVER, pathNot: [`${SERVER}app[.]ts$`, `${SERVER}http/`, `${SERVER}features/[^/]+${ROUTES_FILE}`, TEST] },
    { path: [HTTP_LIBRARIES, `${SERVER}http/`] },
  ),
  forbid(
    'features-meet-in-rules',
    'Ask the other feature through its rules file (features/keys/keys.ts), never its queries or routes.',
    { path: `${SERVER}features/([^/]+)/`, pathNot: TEST },
    { path: `${SERVER}features/(?!$1/)([^/]+)/(?!\\1[.]ts$)` },
  ),
  forbid(
    'server-starts-only-its-runner',
    'A program that a text of a user can influence is started by the runner. Only the built-in runner is started here.',
    { path: SERVER, pathNot: [`${SERVER}engine/builtin-runner[.]ts$`, TEST] },
    { path: '^(node:)?(child_process|cluster)$' },
  ),
];

// main -> app -> features -> ui, lib
const insideWeb = [
  forbid(
    'features-are-islands',
    'Compose two features in app/.',
    { path: `${WEB}features/([^/]+)/`, pathNot: TEST },
    { path: [`${WEB}features/(?!$1/)`, `${WEB}(app/|main[.]tsx$)`] },
  ),
  forbid(
    'ui-and-lib-are-leaves',
    'Take it as a property or an argument.',
    { path: `${WEB}(ui|lib)/`, pathNot: TEST },
    { path: `${WEB}(features/|app/|main[.]tsx$)` },
  ),
  forbid('lib-knows-no-ui', 'lib has no pictures.', { path: `${WEB}lib/`, pathNot: TEST }, { path: `${WEB}ui/` }),
  forbid('app-knows-no-main', 'main.tsx only mounts.', { path: `${WEB}app/` }, { path: `${WEB}main[.]tsx$` }),
  forbid(
    'ui-never-fetches',
    'A ui part shows its properties; a screen fetches them.',
    { path: `${WEB}ui/`, pathNot: TEST },
    { path: [`${WEB}lib/(api|socket)`, '^node_modules/@tanstack/react-query/'] },
  ),
  forbid(
    'web-runs-in-the-browser',
    'There is no Node in a browser.',
    { path: WEB, pathNot: TEST },
    { dependencyTypes: ['core'] },
  ),
];

// The visitor that dependency-cruiser takes from swc stops at a `using` declaration, which is one of variables.
const visitStatement = Visitor.prototype.visitStatement;
/**
 * @this {Visitor}
 * @param {any} statement
 */
Visitor.prototype.visitStatement = function visitStatementOrUsing(statement) {
  if (statement.type !== 'UsingDeclaration') return visitStatement.call(this, statement);
  this.visitVariableDeclarators(statement.decls);
  return statement;
};

export default {
  forbidden: [...everywhere, ...betweenPackages, ...insideServer, ...insideWeb],
  options: {
    // TypeScript 7 has no API: with the default parser nothing would be seen and everything would pass.
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['types', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json'],
    },
  },
};
