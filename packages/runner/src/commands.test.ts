import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { runSetup, runUnregister } from './commands.ts';
import { BadSetting } from './config.ts';
import { makeRemoteOptions } from './remote-config.ts';
import { FileSettings, readSettings } from './remote-settings.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'signalbox-commands-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const privateKey = String(generateKeyPairSync('x25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));

/** Writes a file below the directory of the test. */
function put(name: string, text: string, mode = 0o600): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe('the settings of a remote runner', () => {
  it('come from a YAML or a JSON file, whose relative paths are those of the file', () => {
    const yaml = put(
      'a.yaml',
      'server: [https://a.example.org, https://b.example.org]\ntoken_file: token\none_off: true\n',
    );
    const expected = { token_file: join(directory, 'token'), one_off: true };
    expect(readSettings({}, yaml)).toEqual({ server: ['https://a.example.org', 'https://b.example.org'], ...expected });
    const json = put('a.json', '{"server": "https://a.example.org", "token_file": "token", "one_off": true}');
    expect(readSettings({}, json)).toEqual({ server: 'https://a.example.org', ...expected });
  });

  it('are overruled by variables, also where these say it in another way', () => {
    const file = put('a.yaml', 'server: https://a.example.org\ntoken_file: token\nmax_parallel_tasks: 2\n');
    const environment = {
      SIGNALBOX_RUNNER_CONFIG: file,
      SIGNALBOX_RUNNER_TOKEN: 'said',
      SIGNALBOX_RUNNER_MAX_PARALLEL_TASKS: '5',
      SIGNALBOX_SERVER: 'https://b.example.org, https://c.example.org',
    };
    const server = ['https://b.example.org', 'https://c.example.org'];
    expect(readSettings(environment)).toEqual({ server, token: 'said', max_parallel_tasks: 5 });
  });

  const wrong: [string, string, RegExp][] = [
    ['an unknown name', 'servr: x', /no setting "servr"/],
    ['a wrong type', 'max_parallel_tasks: many', /at "max_parallel_tasks"/],
    ['a list', '- server', /must be a mapping of settings/],
    ['no YAML', 'token: "secret-word', /neither YAML nor JSON/],
  ];
  test.each(wrong)('with %s in the file are refused, without a word of its content', (_name, text, message) => {
    const file = put('a.yaml', text);
    expect(() => readSettings({}, file)).toThrow(message);
    expect(() => readSettings({}, file)).not.toThrow(/secret-word/);
  });

  it('are refused when a variable is no number or no switch', () => {
    expect(() => readSettings({ SIGNALBOX_RUNNER_MAX_PARALLEL_TASKS: '-1' })).toThrow(BadSetting);
    expect(() => readSettings({ SIGNALBOX_RUNNER_ONE_OFF: 'maybe' })).toThrow('must be 0 or 1');
  });

  it('are refused with a secret in a file that others can read', () => {
    const file = put('a.yaml', 'token: hush\n', 0o640);
    expect(() => readSettings({}, file)).toThrow(/open to other users; chmod 600/);
  });

  it('keep proxies and tokens out of the environment of tools', () => {
    const environment = {
      PATH: '/bin',
      HTTPS_PROXY: 'http://proxy.example.org',
      https_proxy: 'http://proxy.example.org',
      SIGNALBOX_RUNNER_TOKEN: 'hush',
      WANTED: 'a value for all tasks',
    };
    const settings = { server: 'https://a.example.org', forwarded_env_vars: ['WANTED', 'MISSING'] };
    const options = makeRemoteOptions(settings, { token: 'hush', privateKey }, environment);
    expect(options.toolEnv).toEqual({ PATH: '/bin', WANTED: 'a value for all tasks' });
    expect(options.hiddenValues).toEqual(['a value for all tasks']);
    expect(options.network.proxy).toMatchObject({ HTTPS_PROXY: 'http://proxy.example.org' });
  });

  it('stand all in the document, and no other does', () => {
    const document = readFileSync(join(import.meta.dirname, '../../../docs/runners.md'), 'utf8');
    const rows = document.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(named.sort()).toEqual(Object.keys(FileSettings.shape).sort());
  });

  it('need an address of the web and the private key of a runner', () => {
    const credentials = { token: 'hush', privateKey };
    expect(() => makeRemoteOptions({ server: 'ftp://a' }, credentials, {})).toThrow('is not an http or https address');
    const other = String(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const bad of ['hush', other]) {
      const broken = { token: 'hush', privateKey: bad };
      expect(() => makeRemoteOptions({ server: 'http://a' }, broken, {})).toThrow('is not the private key of a runner');
    }
  });
});

describe('setup', () => {
  it('writes files that are for their owner alone, and does not replace them unasked', async () => {
    const config = join(directory, 'etc', 'config.yaml');
    const token = put('token', 'hush\n');
    const key = put('key', privateKey);
    const args = ['--config', config, '--server', 'https://a.example.org', '--token-file', token];
    await expect(runSetup(args, {})).rejects.toThrow('--private-key-file is required');
    expect(existsSync(config)).toBe(false);
    await runSetup([...args, '--private-key-file', key], {});
    for (const name of ['config.yaml', 'token', 'private-key.pem']) {
      expect(statSync(join(directory, 'etc', name)).mode & 0o777).toBe(0o600);
    }
    expect(readFileSync(config, 'utf8')).not.toContain('hush');
    await expect(runSetup([...args, '--private-key-file', key], {})).rejects.toThrow('is there already');
  });

  it('takes no secret as an argument, and repeats none that was given', async () => {
    for (const option of ['--token', '--private-key=hush', '--registration-token']) {
      await expect(runSetup([option, 'hush'], {})).rejects.toThrow('A secret is never an argument');
    }
    await expect(runSetup(['--server', 'https://a.example.org', '--tokn=hush'], {})).rejects.toThrow(
      /^The option --tokn is not understood; "signalbox-runner help" lists them$/,
    );
    await expect(runSetup(['hush'], {})).rejects.not.toThrow('hush');
  });
});

it('says what it can do when it is started without a command, and fails', () => {
  const main = join(import.meta.dirname, 'main.ts');
  const bare = spawnSync(process.execPath, [main], { encoding: 'utf8', env: {} });
  expect([bare.status, bare.stdout]).toEqual([1, '']);
  expect(bare.stderr).toContain('Usage: signalbox-runner <command>');
  const version = spawnSync(process.execPath, [main, 'version'], { encoding: 'utf8', env: {} });
  expect([version.status, version.stdout]).toEqual([0, '0.1.0\n']);
});

describe('a server with a certificate of an authority of its own', () => {
  let server: Server;
  let authority: string;
  const called: string[] = [];
  beforeEach(async () => {
    const [key, cert] = [join(directory, 'server.key'), join(directory, 'server.pem')];
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
    execFileSync('openssl', ['req', '-x509', ...curve, ...subject, '-keyout', key, '-out', cert], { stdio: 'ignore' });
    authority = cert;
    server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) => {
      called.push(request.url ?? '');
      request.resume();
      if (request.url?.endsWith('/unregister')) response.writeHead(204).end();
      else response.writeHead(201).end(JSON.stringify({ id: 1, name: 'north', token: 'hush' }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is trusted with its authority, and not without', async () => {
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = join(directory, 'etc', 'config.yaml');
    const registration = put('registration', 'once');
    const args = ['--config', config, '--server', url, '--registration-token-file', registration];
    await expect(runSetup(args, {})).rejects.toThrow(/No server could be reached at https.*certificate/);
    expect(called).toEqual([]);
    expect(existsSync(config)).toBe(false);
    await runSetup([...args, '--ca-file', authority], {});
    const environment = { SIGNALBOX_RUNNER_DATA: join(directory, 'data') };
    const lock = { release: () => undefined };
    await runUnregister(['--config', config], environment, () => lock);
    expect(called).toEqual(['/api/internal/runners/register', '/api/internal/runners/unregister']);
    expect(existsSync(config)).toBe(false);
  });
});
