import { gitUrlKind } from '@signalbox/contract/git-url';
import { describe, expect, test } from 'vitest';
import { readUrlKind, rewriteUrl, urlKinds } from './url-kind.ts';

describe('the kind of an address', () => {
  test.each([
    ['/srv/git/infra', 'local'],
    ['git@github.com:acme/infra.git', 'ssh'],
    ['ssh://git@host/acme/infra.git', 'ssh'],
    ['https://host/infra.git', 'https'],
    ['https://', 'https'],
    ['ext::sh -c id', undefined],
    ['ftp://host/x', undefined],
    ['', undefined],
  ])('of %j is %j', (url, kind) => {
    expect(readUrlKind(url)).toBe(kind);
  });
});

describe('clicking a chip', () => {
  test.each([
    ['git@github.com:acme/infra.git', 'https', 'https://git@github.com/acme/infra.git'],
    ['https://host/acme/infra.git', 'ssh', 'ssh://host/acme/infra.git'],
    ['https://host/acme/infra.git', 'local', '/host/acme/infra.git'],
    ['/srv/git/infra', 'file', 'file:///srv/git/infra'],
    ['file:///srv/git/infra', 'local', '/srv/git/infra'],
    ['srv/git', 'local', '/srv/git'],
    ['', 'https', 'https://'],
  ] as const)('rewrites the beginning of %j for %s', (url, kind, rewritten) => {
    expect(rewriteUrl(url, kind)).toBe(rewritten);
  });

  test.each(urlKinds)('makes an address of the kind %s', (kind) => {
    expect(gitUrlKind(rewriteUrl('git@host.example:acme/infra.git', kind))).toBe(kind);
  });
});
