import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'ldapts';

const program = '/usr/sbin/slapd';
export const hasSlapd = existsSync(program);

export const suffix = 'dc=example,dc=org';
const rootDn = `cn=root,${suffix}`;
const rootPassword = 'root-password';

export type DirectoryServer = {
  readonly port: number;
  readonly tlsPort: number;
  /** Certificate of the authority that signed the server's own; another one that did not. */
  readonly caFile: string;
  readonly strangeCaFile: string;
  /** Does something as the directory's own administrator. */
  change(work: (client: Client) => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
};

/** A real OpenLDAP on loopback, with nothing in it but its base. It lets in whoever sends no password, as many do. */
export async function startDirectory(): Promise<DirectoryServer> {
  const directory = await mkdtemp(path.join(tmpdir(), `signalbox-test-${process.pid}-slapd-`));
  createCertificates(directory);
  await mkdir(path.join(directory, 'db'));
  await writeFile(path.join(directory, 'slapd.conf'), describeDirectory(directory));
  const [port, tlsPort] = [await findFreePort(), await findFreePort()];
  const urls = `ldap://127.0.0.1:${port} ldaps://127.0.0.1:${tlsPort}`;
  const slapd = spawn(program, ['-d', '0', '-f', path.join(directory, 'slapd.conf'), '-h', urls], { stdio: 'ignore' });
  const exited = once(slapd, 'exit');
  const end = () => slapd.kill();
  // A test that fails in its middle stops nothing.
  process.once('exit', end);
  const change: DirectoryServer['change'] = async (work) => {
    const client = new Client({ url: `ldap://127.0.0.1:${port}` });
    try {
      await client.bind(rootDn, rootPassword);
      await work(client);
    } finally {
      await client.unbind();
    }
  };
  const stop = async () => {
    process.off('exit', end);
    end();
    await exited;
    await rm(directory, { recursive: true });
  };
  await waitForPort(port, () => slapd.exitCode === null);
  await change(async (client) => {
    await client.add(suffix, { objectClass: ['dcObject', 'organization'], dc: 'example', o: 'Example' });
    for (const unit of ['people', 'groups', 'services']) {
      await client.add(`ou=${unit},${suffix}`, { objectClass: 'organizationalUnit', ou: unit });
    }
  });
  const file = (name: string) => path.join(directory, name);
  return { port, tlsPort, caFile: file('ca.pem'), strangeCaFile: file('strange.pem'), change, stop };
}

function describeDirectory(directory: string): string {
  const schemas = ['core', 'cosine', 'inetorgperson'].map((name) => `include /etc/ldap/schema/${name}.schema`);
  return [
    ...schemas,
    'modulepath /usr/lib/ldap',
    'moduleload back_mdb',
    'moduleload memberof',
    `pidfile ${directory}/slapd.pid`,
    `TLSCertificateFile ${directory}/server.pem`,
    `TLSCertificateKeyFile ${directory}/server.key`,
    // A name and an empty password are taken as nobody, and that is a success.
    'allow bind_anon_cred',
    'database mdb',
    `suffix ${suffix}`,
    `rootdn ${rootDn}`,
    `rootpw ${rootPassword}`,
    `directory ${directory}/db`,
    'overlay memberof',
    'access to attrs=userPassword by anonymous auth by * none',
    // Who has not signed in sees nothing.
    'access to * by users read by * none',
    '',
  ].join('\n');
}

function createCertificates(directory: string): void {
  const run = (...args: string[]) => execFileSync('openssl', args, { cwd: directory, stdio: 'ignore' });
  const key = ['-newkey', 'rsa:2048', '-nodes', '-days', '2'];
  for (const name of ['ca', 'strange']) {
    run('req', '-x509', ...key, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.pem`);
  }
  const names = 'subjectAltName=IP:127.0.0.1,DNS:directory.example.org';
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-addext', names, '-addext', 'basicConstraints=CA:FALSE'];
  run('req', '-x509', ...key, ...signed, '-subj', '/CN=slapd', '-keyout', 'server.key', '-out', 'server.pem');
}

/** slapd takes no port 0. */
export async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function waitForPort(port: number, isAlive: () => boolean): Promise<void> {
  while (isAlive()) {
    const client = new Client({ url: `ldap://127.0.0.1:${port}`, timeout: 2000, connectTimeout: 2000 });
    try {
      await client.bind(rootDn, rootPassword);
      await client.unbind();
      return;
    } catch {
      // Not listening yet; there is nothing else to wait for.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  throw new Error('slapd ended at once');
}
