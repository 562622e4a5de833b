import { expect, test } from 'vitest';
import { lintInventory } from './lint-ini.ts';

const kinds = (text: string) => lintInventory(text).map(({ kind }) => kind);

test('an inventory as Ansible documents it has no problem', () => {
  const text = [
    '# hosts of the shop',
    'mail.example.com',
    '',
    '[web]',
    'www[01:50].example.com',
    'jumper ansible_port=5555 ansible_host=192.0.2.50',
    `db-01 ansible_ssh_common_args='-o ProxyCommand="ssh -W %h:%p bastion"' # the old one`,
    '; a note',
    '[web:vars]',
    'ntp_server=ntp.example.com',
    'motd = hello there',
    '[all_shops:children]',
    'web',
  ].join('\n');
  expect(lintInventory(text)).toEqual([]);
});

test.each([
  ['[web', 'open_section'],
  ['[web] extra', 'open_section'],
  ['[]', 'empty_section'],
  ['[:vars]', 'empty_section'],
  ['[web:hosts]', 'unknown_section'],
  ['[a:b:vars]', 'unknown_section'],
  ['web-01 ansible_port', 'not_assignment'],
  ['[web]\nweb-01 web-02', 'not_assignment'],
  ['[web:vars]\nntp_server', 'not_variable'],
  ['[all:children]\nweb db', 'not_assignment'],
])('%j is marked as %s', (text, kind) => {
  expect(kinds(text)).toEqual([kind]);
});

test('a problem is marked where it stands', () => {
  expect(lintInventory('[web]\n  web-01 oops\nweb-02')).toEqual([{ from: 8, to: 19, kind: 'not_assignment' }]);
});

test('an empty text has no problem', () => {
  expect(lintInventory('')).toEqual([]);
});
