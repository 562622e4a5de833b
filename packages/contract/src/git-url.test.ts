import { describe, expect, it } from 'vitest';
import { gitUrlKind, isBranchName } from './git-url.ts';

describe('a repository address', () => {
  it.each([
    ['/srv/git/site', 'local'],
    ['file:///srv/git/site.git', 'file'],
    ['ssh://git@host:2222/site.git', 'ssh'],
    ['git@host:team/site.git', 'ssh'],
    ['host:site.git', 'ssh'],
    ['git://host/site.git', 'git'],
    ['http://host/site.git', 'http'],
    ['HTTPS://user@host/site.git', 'https'],
  ])('%s is of the kind %s', (url, kind) => {
    expect(gitUrlKind(url)).toBe(kind);
  });

  it.each([
    '',
    '-oProxyCommand=touch /tmp/x',
    '--upload-pack=touch x',
    'ext::sh -c touch% x',
    'ext::sh',
    'fd::17',
    'ssh://-oProxyCommand=x/site',
    'ssh://git@-oProxyCommand=x/site',
    '-host:site',
    'git@-host:site',
    'host:-site',
    'ftp://host/site',
    'javascript://host/x',
    'https://',
    'two words',
    'https://host/a\nb',
    'relative/path',
  ])('%j is refused', (url) => {
    expect(gitUrlKind(url)).toBeUndefined();
  });
});

describe('a branch name', () => {
  it.each(['main', 'feature/x', 'v1.2', 'release-1', 'größe'])('%s is taken', (name) => {
    expect(isBranchName(name)).toBe(true);
  });

  it.each([
    '',
    '-x',
    '--all',
    '@',
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
    'a.lock',
    'a.',
    'a@{1}',
    'a\u0000',
    'a\u007f',
  ])('%j is refused', (name) => {
    expect(isBranchName(name)).toBe(false);
  });
});
