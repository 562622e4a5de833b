import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

export type Mail = {
  from: string;
  to: string[];
  /** Headers and body as they came. */
  raw: string;
  user: string | undefined;
  isEncrypted: boolean;
};

export type MailServer = { port: number; mails: Mail[]; stop(): Promise<void> };

export type Certificates = {
  ca: string;
  caFile: string;
  strangeFile: string;
  key: string;
  cert: string;
  remove(): Promise<void>;
};

/** For a mail server on loopback, from an authority of its own; and another authority that has nothing to do with it. */
export async function makeCertificates(): Promise<Certificates> {
  const directory = await mkdtemp(path.join(tmpdir(), `signalbox-test-${process.pid}-mail-`));
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  for (const name of ['ca', 'strange']) {
    run('req', '-x509', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`);
  }
  const names = ['-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost', '-addext', 'basicConstraints=CA:FALSE'];
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', ...names];
  run('req', '-x509', ...key, ...signed, '-subj', '/CN=mail', '-keyout', 'mail.key', '-out', 'mail.pem');
  const file = (name: string) => path.join(directory, name);
  return {
    ca: await readFile(file('ca.pem'), 'utf8'),
    caFile: file('ca.pem'),
    strangeFile: file('strange.pem'),
    key: await readFile(file('mail.key'), 'utf8'),
    cert: await readFile(file('mail.pem'), 'utf8'),
    remove: () => rm(directory, { recursive: true }),
  };
}

/** A real SMTP server that keeps what it takes. */
export async function startMailServer(options: SMTPServerOptions): Promise<MailServer> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    logger: false,
    closeTimeout: 200,
    onData: (stream, session, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(parts).toString(),
          user: session.user,
          isEncrypted: session.secure,
        });
        done();
      });
    },
    ...options,
  });
  // A client that does not trust the certificate hangs up: that is the point of some tests.
  server.on('error', () => undefined);
  const listening = server.listen(0, '127.0.0.1');
  await new Promise((resolve) => listening.once('listening', resolve));
  const { port } = listening.address() as AddressInfo;
  return { port, mails, stop: () => new Promise((resolve) => server.close(() => resolve())) };
}
