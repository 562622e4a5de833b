import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from './config.ts';
import { callOut, DeniedAddress, listNetworks } from './outgoing-call.ts';
import { type HttpReceiver, startHttpReceiver } from './test/http-receiver.ts';

let receiver: HttpReceiver;
beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.stop());

const call = (url: string, denied: readonly string[]) =>
  callOut({ url, body: '{"a":1}', signal: AbortSignal.timeout(10_000), denied: listNetworks(denied) });
const portOf = () => new URL(receiver.url).port;

describe('an address in a denied network is never called', () => {
  test.each([
    ['as it is', '127.0.0.1', '127.0.0.0/8'],
    ['in another spelling', '0x7f.1', '127.0.0.0/8'],
    ['as an address of IPv6', '[::ffff:127.0.0.1]', '127.0.0.0/8'],
    ['by its name', 'localhost', '127.0.0.1'],
    ['by a name with several addresses, one of them denied', 'localhost', '127.0.0.1,::1'],
  ])('%s', async (_how, host, denied) => {
    const before = receiver.received.length;
    await expect(call(`http://${host}:${portOf()}/`, denied.split(','))).rejects.toThrow(DeniedAddress);
    expect(receiver.received.length).toBe(before);
  });
});

test('every other address is, by its name too, on a connection of its own, and a redirect leads nowhere', async () => {
  receiver.answer = (_received, response) => response.writeHead(302, { location: '/elsewhere' }).end('moved');
  const answer = await call(`http://localhost:${portOf()}/here`, ['169.254.0.0/16']);
  expect(answer).toMatchObject({ status: 302, text: 'moved' });
  expect(receiver.received.at(-1)).toMatchObject({ path: '/here', body: { a: 1 }, headers: { connection: 'close' } });
});

test('link-local addresses and those with the credentials of a cloud are denied unless a setting says otherwise', () => {
  const told = ['169.254.169.254', '169.254.0.1', 'fe80::1', 'fd00:ec2::254', '100.100.100.200'];
  const isDenied = (env: Record<string, string>, address: string) =>
    loadConfig(env).deniedNetworks.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
  expect(told.filter((address) => !isDenied({}, address))).toEqual([]);
  expect(['127.0.0.1', '10.0.0.1', '::1', '192.168.1.1'].filter((address) => isDenied({}, address))).toEqual([]);
  const none = { SIGNALBOX_DENIED_NETWORKS: 'none' };
  expect(told.filter((address) => isDenied(none, address))).toEqual([]);
  const own = { SIGNALBOX_DENIED_NETWORKS: '10.0.0.0/8,::1' };
  expect(['10.9.9.9', '::1', '169.254.169.254'].map((address) => isDenied(own, address))).toEqual([true, true, false]);
});
