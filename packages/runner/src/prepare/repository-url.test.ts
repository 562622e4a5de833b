import { expect, it } from 'vitest';
import { checkBranchName, checkCommitHash, parseRepositoryUrl } from './repository-url.ts';

it.each([
  ['/srv/repo.git', { kind: 'local', path: '/srv/repo.git' }],
  ['file:///srv/my%20repo', { kind: 'local', path: '/srv/my repo' }],
  ['https://example.org/a/b.git', { kind: 'remote', scheme: 'https', url: 'https://example.org/a/b.git', user: null }],
  ['git@example.org:a/b.git', { kind: 'remote', scheme: 'ssh', url: 'git@example.org:a/b.git', user: 'git' }],
  ['example.org:a/b.git', { kind: 'remote', scheme: 'ssh', user: null }],
  ['[::1]:a/b.git', { kind: 'remote', scheme: 'ssh', user: null }],
  ['ssh://ann@example.org:2222/a', { kind: 'remote', scheme: 'ssh', url: 'ssh://ann@example.org:2222/a', user: 'ann' }],
  ['git://example.org/a', { kind: 'remote', scheme: 'git' }],
])('takes %s', (url, expected) => {
  expect(parseRepositoryUrl(url)).toMatchObject(expected);
});

it('takes name and password out of a URL, so that they reach no argument list', () => {
  const location = parseRepositoryUrl('https://ann:s%23cret@example.org:8443/a.git');
  expect(location).toMatchObject({ url: 'https://example.org:8443/a.git', user: 'ann', password: 's#cret' });
  expect(location).toMatchObject({ origin: 'https://example.org:8443' });
});

it.each([
  '',
  '-oProxyCommand=evil',
  '--upload-pack=evil',
  'ext::sh -c evil',
  'fd::17',
  'ext::ssh://x',
  'ftp://example.org/a',
  'git+ssh://example.org/a',
  'ssh://-oProxyCommand=evil/a',
  'ssh://-l@example.org/a',
  'ssh://example.org/-x',
  'ssh://ann:pw@example.org/a',
  '-x@example.org:a',
  'ann@-example.org:a',
  'ann@example.org:-a',
  'file://otherhost/etc',
  'relative/path',
  '../up',
  'https://example.org/a\nb',
  'https://example.org/a\0b',
  'https://',
])('refuses %j', (url) => {
  expect(() => parseRepositoryUrl(url)).toThrow("The repository's URL is refused");
});

it.each(['main', 'feature/x-1', 'v1.2.3', 'a@b', 'ümläut'])('takes the branch %s', (name) => {
  expect(() => checkBranchName(name)).not.toThrow();
});

it.each([
  '',
  '-x',
  '--all',
  'a..b',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[',
  'a\\b',
  '/a',
  'a/',
  'a//b',
  '.a',
  'a/.b',
  'a.',
  'a.lock',
  '@',
  'a@{1}',
  'a\nb',
  'a\0',
])('refuses the branch %j', (name) => {
  expect(() => checkBranchName(name)).toThrow('is not the name of a branch');
});

it('takes a commit of 7 to 64 hexadecimal digits only', () => {
  expect(() => checkCommitHash('0123abc')).not.toThrow();
  for (const bad of ['', '012345', 'HEAD', '-0123456', `${'a'.repeat(65)}`, '0123abg']) {
    expect(() => checkCommitHash(bad)).toThrow('is not the hash of a commit');
  }
});
