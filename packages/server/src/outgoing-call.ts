import { lookup } from 'node:dns';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';

export type OutgoingCall = {
  readonly url: string | URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
  /** Where no call goes. */
  readonly denied: BlockList;
};

export type OutgoingAnswer = { readonly status: number; readonly headers: IncomingHttpHeaders; readonly text: string };

/** The address of a call lies where no call shall go. Its code is told like those of the system. */
export class DeniedAddress extends Error {
  readonly code = 'denied by SIGNALBOX_DENIED_NETWORKS';
}

/** More of an answer is not read. */
const mostBytes = 16 * 1024;

/** @param networks addresses, or networks such as 10.0.0.0/8 */
export function listNetworks(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return list;
}

/**
 * One POST to an address that somebody has set. Redirects are not followed: they would lead it where nobody has sent it. Which
 * addresses a name has is looked at when the connection is made, so a name that changes between two looks leads nowhere else.
 *
 * @throws DeniedAddress, the reason of the signal, or what the network says
 */
export async function callOut({ url, headers, body, signal, denied }: OutgoingCall): Promise<OutgoingAnswer> {
  const target = new URL(url);
  const host = target.hostname.replace(/^\[|\]$/g, '');
  if (isDenied(denied, host)) throw new DeniedAddress();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const request = (target.protocol === 'https:' ? requestHttps : requestHttp)(target, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Signalbox',
      ...headers,
      'content-length': Buffer.byteLength(body),
      // One that is kept may be closed by the other end in the very moment of the next call, and some calls are made once.
      connection: 'close',
    },
    lookup: lookUp(denied),
    signal,
  });
  request.on('response', resolve);
  request.on('error', reject);
  request.end(body);
  try {
    const answer = await promise;
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: await readStart(answer) };
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

function isDenied(denied: BlockList, address: string): boolean {
  const family = isIP(address);
  return family !== 0 && denied.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

function lookUp(denied: BlockList): LookupFunction {
  return (name, options, tell) => {
    lookup(name, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error !== null || first === undefined) tell(error ?? new Error('The name has no address'), '');
      else if (found.some(({ address }) => isDenied(denied, address))) tell(new DeniedAddress(), '');
      else if (options.all === true) tell(null, found);
      else tell(null, first.address, first.family);
    });
  };
}

async function readStart(answer: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  // What is left unread ends with the loop.
  for await (const part of answer as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size >= mostBytes) break;
  }
  return Buffer.concat(parts).subarray(0, mostBytes).toString();
}
