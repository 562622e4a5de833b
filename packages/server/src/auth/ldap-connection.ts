import net from 'node:net';
import tls from 'node:tls';
import { Client } from 'ldapts';
import type { DirectorySettings } from '../config-ldap.ts';

/** For each answer, and for the whole of one sign-in. */
const answerMs = 5000;
const wholeMs = 10_000;

/**
 * Opens a connection to the directory, as safe as the settings want it, for as long as the work takes. A certificate is
 * always checked, against the host of the settings.
 */
export async function withDirectory<T>(settings: DirectorySettings, work: (client: Client) => Promise<T>): Promise<T> {
  let socket: net.Socket | undefined;
  const connectOnce = <S extends net.Socket>(connect: () => S): S => {
    // The library would connect anew by itself; after StartTLS that connection would be in clear.
    if (socket !== undefined) throw new Error('The directory closed the connection');
    const opened = connect();
    socket = opened;
    return opened;
  };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('The directory did not answer in time')), wholeMs);
  try {
    return await Promise.race([late.promise, openAndWork(settings, connectOnce, work)]);
  } finally {
    clearTimeout(timer);
    socket?.destroy();
  }
}

type ConnectOnce = <S extends net.Socket>(connect: () => S) => S;

async function openAndWork<T>(
  { host, port, security, ca }: DirectorySettings,
  connectOnce: ConnectOnce,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const secure = {
    host,
    rejectUnauthorized: true,
    // An address is no server name; its certificate is checked by `host`.
    ...(net.isIP(host) === 0 ? { servername: host } : {}),
    ...(ca === undefined ? {} : { ca }),
  };
  const client = new Client({
    url: `${security === 'tls' ? 'ldaps' : 'ldap'}://${net.isIPv6(host) ? `[${host}]` : host}:${port}`,
    timeout: answerMs,
    connectTimeout: answerMs,
    ...(security === 'tls'
      ? { createSecureConnection: () => connectOnce(() => tls.connect({ port, ...secure })) }
      : { createConnection: () => connectOnce(() => net.connect({ host, port })) }),
  });
  if (security === 'starttls') await client.startTLS(secure);
  return work(client);
}
