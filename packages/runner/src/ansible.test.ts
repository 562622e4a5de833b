import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { Job } from '@signalbox/contract/job';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findTool } from './prepare/find-tool.ts';
import { makeJob, makeRepository, writeFiles, Yard } from './test/fixtures.ts';
import { GitHttpServer } from './test/git-http.ts';
import type { Finish } from './test/protocol-server.ts';
import { SshServer } from './test/ssh-server.ts';

const hasAnsible = findTool('ansible-playbook', process.env.PATH ?? '') !== null;
const canServeSsh = existsSync('/usr/sbin/sshd') && process.getuid?.() === 0;
const none = { type: 'none' as const };
const timeout = 120_000;
let yard: Yard;
let ssh: SshServer;

describe.skipIf(!hasAnsible || !canServeSsh)('ansible (needs ansible, and sshd as root)', () => {
  beforeAll(async () => {
    yard = await Yard.open();
    ssh = await SshServer.start(yard.directory);
  });

  afterAll(async () => {
    await yard.close();
    await ssh.close();
    expect(yard.server.problems).toEqual([]);
    expect(yard.output).toBe('');
  });

  function playJob(name: string, files: Record<string, string>, change: Partial<Job>): Job {
    const path = yard.repository(name, files);
    return makeJob(path, { app: { id: 'ansible', path: '', args: null }, playbook: 'site.yml', ...change });
  }

  async function run(job: Job): Promise<{ finish: Finish; text: string }> {
    const track = yard.server.add(job);
    const finish = await yard.server.finished(track, timeout);
    return { finish, text: yard.server.textOf(track) };
  }

  const here = {
    type: 'static' as const,
    content: 'localhost ansible_connection=local\n',
    ssh_key: none,
    become_key: none,
    host_key_policy: 'accept-new' as const,
    repository: null,
  };

  it('reaches a host with a locked ssh key, opens a vault and gets its variables, with no secret in an argument', {
    timeout,
  }, async () => {
    const vaultPassword = 'vault-pass-77';
    const secret = 'token-value-88';
    const passwordFile = join(yard.directory, 'vp');
    writeFileSync(passwordFile, vaultPassword);
    const plain = join(yard.directory, 'vault.yml');
    writeFileSync(plain, 'from_vault: opened\n');
    execFileSync('ansible-vault', ['encrypt', `--vault-id=main@${passwordFile}`, plain], { stdio: 'ignore' });
    const play = [
      '- hosts: all',
      '  gather_facts: false',
      '  vars_files: [vault.yml]',
      '  tasks:',
      '    - ansible.builtin.raw: "echo remote $(id -un)"',
      '    - ansible.builtin.debug:',
      '        msg: "{{ from_vault }} {{ count + 1 }} {{ token | hash(\'sha256\') }} {{ token }} {{ semaphore_vars.task_details.username }}"',
    ].join('\n');
    const job = playJob(
      'reach',
      { 'site.yml': play, 'vault.yml': readFileSync(plain, 'utf8') },
      {
        inventory: {
          type: 'static',
          content: `target ansible_host=127.0.0.1 ansible_port=${ssh.port}\n`,
          ssh_key: { type: 'ssh', login: userInfo().username, passphrase: ssh.passphrase, private_key: ssh.lockedKey },
          become_key: none,
          host_key_policy: 'accept-new',
          repository: null,
        },
        vaults: [{ type: 'password', name: 'main', password: vaultPassword }],
        variables: { count: 41 },
        secret_variables: { token: secret },
      },
    );
    const trace = join(yard.directory, 'trace');
    const pid = String(yard.runners[0]?.pid);
    const strace = spawn('strace', ['-f', '-e', 'trace=execve', '-s', '10000', '-o', trace, '-p', pid], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    await once(strace.stderr, 'data');
    const { finish, text } = await run(job);
    strace.kill('SIGINT');
    await once(strace, 'exit');
    expect(finish).toMatchObject({ reason: '', strays: 0 });
    const hash = Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(secret))).toString('hex');
    expect(text).toContain(`opened 42 ${hash} *** ann`);
    expect(text).not.toContain(secret);
    const calls = readFileSync(trace, 'utf8');
    expect(calls).toContain('ansible-playbook');
    for (const hidden of [vaultPassword, secret, 'open, sesame']) expect(calls).not.toContain(hidden);
    expect(readFileSync(join(yard.dataDir, 'known-hosts', 'project-1'), 'utf8')).toContain('ssh-ed25519');
  });

  it('evaluates the variable group, and never what was typed or sent for one task', { timeout }, async () => {
    const touched = join(yard.directory, 'touched');
    const evil = `{{ lookup('pipe', 'touch ${touched}') }}`;
    const play = [
      '- hosts: all',
      '  gather_facts: false',
      '  vars: {inner: "{{ answer }}", told: "{{ semaphore_vars.task_details.message }}"}',
      '  tasks:',
      '    - ansible.builtin.debug: {msg: "{{ answer }} {{ inner }} {{ told }} {{ list }} {{ pin }} {{ size + 1 }}"}',
      '    - ansible.builtin.debug: {msg: "{{ group }} in the group"}',
      '      when: plain == "x" and plain is string',
    ].join('\n');
    const { finish, text } = await run(
      playJob(
        'literal',
        { 'site.yml': play },
        {
          inventory: here,
          variables: {
            answer: evil,
            list: [evil, { deep: evil }],
            size: 4,
            plain: 'x',
            group: '{{ plain }}{{ 20 + 22 }}',
          },
          secret_variables: { pin: evil },
          given_variables: ['answer', 'list', 'size', 'plain', 'pin'],
          details: { username: evil, url: null, message: evil, incoming_version: null, target_version: null },
        },
      ),
    );
    expect(finish).toMatchObject({ outcome: 'success' });
    expect(text).toContain('x42 in the group');
    expect(text).toContain(' 5"');
    expect(existsSync(touched)).toBe(false);
  });

  it('uses an inventory of another repository, with its group variables beside it', { timeout }, async () => {
    const play = '- hosts: web\n  gather_facts: false\n  tasks:\n    - ansible.builtin.debug: {msg: "{{ colour }}"}\n';
    const other = join(yard.repositories, 'inventories');
    makeRepository(other, {
      'prod/hosts.yml': 'web: {hosts: {localhost: {ansible_connection: local}}}\n',
      'prod/group_vars/web.yml': 'colour: green\n',
    });
    const repository = makeJob(other).repository;
    const job = playJob(
      'play',
      { 'site.yml': play },
      { inventory: { ...here, type: 'file', content: 'prod/hosts.yml', repository } },
    );
    const { finish, text } = await run(job);
    expect(finish.reason).toBe('');
    expect(text).toContain('green');
    const bad = await run({
      ...job,
      task_id: job.task_id + 1000,
      inventory: { ...here, type: 'file', content: '../../secret', repository: null },
    });
    expect(bad.finish.reason).toContain('The inventory "../../secret" is outside of the repository');
  });

  it('installs required roles once, and again when the file changes', { timeout }, async () => {
    const role = join(yard.repositories, 'greeter');
    makeRepository(role, {
      'tasks/main.yml': '- ansible.builtin.debug: {msg: greetings}\n',
      'meta/main.yml': 'galaxy_info: {author: t, description: d, license: MIT, min_ansible_version: "2.9"}\n',
    });
    const files = {
      'site.yml': '- hosts: all\n  gather_facts: false\n  roles: [greeter]\n',
      'requirements.yml': `roles:\n  - {src: "file://${role}", scm: git, name: greeter, version: main}\n`,
    };
    const job = playJob('galaxy', files, { inventory: here });
    const first = await run(job);
    expect(first.finish.reason).toBe('');
    expect(first.text).toContain('Installing what requirements.yml asks for (roles)');
    expect(first.text).toContain('greetings');
    const second = await run({ ...job, task_id: job.task_id + 1000 });
    expect(second.finish.reason).toBe('');
    expect(second.text).toContain('requirements.yml has not changed: its roles are here already');
    expect(readdirSync(join(yard.dataDir, 'requirements'))).toHaveLength(1);
  });

  it('installs a required collection from an archive, once for each content', { timeout }, async () => {
    const source = join(yard.directory, 'collection');
    writeFiles(source, {
      'galaxy.yml': 'namespace: signals\nname: greetings\nversion: 1.0.0\nreadme: README.md\nauthors: [t]\n',
      'README.md': 'Greets.\n',
      'plugins/filter/greet.py':
        'class FilterModule:\n    def filters(self):\n        return {"greet": lambda name: f"greetings, {name}"}\n',
    });
    execFileSync('ansible-galaxy', ['collection', 'build', `--output-path=${yard.directory}`, source], {
      stdio: 'pipe',
    });
    const archive = join(yard.directory, 'signals-greetings-1.0.0.tar.gz');
    const play = '- hosts: all\n  gather_facts: false\n  tasks:\n';
    const job = playJob(
      'collected',
      {
        'site.yml': `${play}    - ansible.builtin.debug: {msg: "{{ 'ann' | signals.greetings.greet }}"}\n`,
        'collections/requirements.yml': `collections:\n  - {name: ${archive}, type: file}\n`,
      },
      { inventory: here },
    );
    const first = await run(job);
    expect(first.finish.reason).toBe('');
    expect(first.text).toContain('greetings, ann');
    const second = await run({ ...job, task_id: job.task_id + 1000 });
    expect(second.text).toContain('collections/requirements.yml has not changed: its collections are here already');
    expect(second.text).toContain('greetings, ann');
  });

  it('opens several vaults, by password and by a client script, each with its own', { timeout }, async () => {
    const passwords = { main: 'password-of-main', prod: 'password-of-prod' };
    const files: Record<string, string> = {};
    for (const [name, password] of Object.entries(passwords)) {
      const path = join(yard.directory, `${name}-vault`);
      writeFileSync(path, password);
      writeFileSync(join(yard.directory, `${name}.yml`), `from_${name}: opened ${name}\n`);
      const target = join(yard.directory, `${name}.yml`);
      execFileSync('ansible-vault', ['encrypt', `--encrypt-vault-id=${name}`, `--vault-id=${name}@${path}`, target], {
        stdio: 'pipe',
      });
      files[`${name}.yml`] = readFileSync(target, 'utf8');
    }
    const play = '- hosts: all\n  gather_facts: false\n  vars_files: [main.yml, prod.yml]\n  tasks:\n';
    const client = `#!/bin/sh\n[ "$2" = prod ] && exec cat ${join(yard.directory, 'prod-vault')}\n`;
    const job = playJob(
      'vaults',
      {
        ...files,
        'site.yml': `${play}    - ansible.builtin.debug: {msg: "{{ from_main }}, {{ from_prod }}"}\n`,
        'get-client.sh': client,
      },
      {
        inventory: here,
        vaults: [
          { type: 'password', name: 'main', password: passwords.main },
          { type: 'script', name: 'prod', script: 'get-client.sh' },
        ],
      },
    );
    const { finish, text } = await run(job);
    expect(finish.reason).toBe('');
    expect(text).toContain('opened main, opened prod');
  });

  it('stops a play, with nothing left of its forks', { timeout }, async () => {
    const play = '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.command: sleep 5151\n';
    const track = yard.server.add(playJob('long', { 'site.yml': play }, { inventory: here }));
    await yard.server.until(() => yard.server.textOf(track).includes('TASK ['), timeout);
    yard.server.stop(track, 'stop');
    expect(await yard.server.finished(track, timeout)).toMatchObject({ outcome: 'stopped' });
    expect(() => execFileSync('pgrep', ['-x', '-f', 'sleep 5151'])).toThrow();
  });

  it('fails with the code of a play that fails', { timeout }, async () => {
    const play = '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.fail: {msg: on purpose}\n';
    const { finish, text } = await run(playJob('fails', { 'site.yml': play }, { inventory: here }));
    expect(finish).toMatchObject({ outcome: 'error', reason: 'ansible-playbook ended with exit code 2', exit_code: 2 });
    expect(text).toContain('on purpose');
  });

  it.each([
    ['none', {}],
    ['some', { 'requirements.yml': 'roles:\n  - {src: "http://HOST/role", scm: git, name: greeter, version: main}\n' }],
  ])('gives the repository key to Galaxy alone, with requirements: %s', { timeout }, async (name, files) => {
    const login = new GitHttpServer(yard.repositories, 'ann', 'a-good-password');
    const host = await login.listen();
    yard.repository('role', {
      'meta/main.yml': 'galaxy_info: {author: t, description: d, license: MIT, min_ansible_version: "2.9"}\n',
      'tasks/main.yml': '- debug: {msg: hello from the role}\n',
    });
    const look = 'ls "$(dirname "$ANSIBLE_SSH_CONTROL_PATH_DIR")"';
    const play = `- hosts: all\n  gather_facts: false\n  tasks:\n    - shell: ${look}\n      register: found\n    - debug: {var: found.stdout_lines}\n`;
    const written = Object.entries(files).map(([file, text]) => [file, text.replace('HOST', host)]);
    yard.repository(`keyed-${name}`, { 'site.yml': play, ...Object.fromEntries(written) });
    const job = makeJob(`http://${host}/keyed-${name}`, {
      app: { id: 'ansible', path: '', args: null },
      playbook: 'site.yml',
      inventory: {
        ...here,
        ssh_key: { type: 'ssh', login: '', passphrase: ssh.passphrase, private_key: ssh.lockedKey },
      },
    });
    const key = { type: 'login_password' as const, login: 'ann', password: 'a-good-password' };
    const { finish, text } = await run({ ...job, repository: { ...job.repository, key } });
    await login.close();
    expect(finish.reason).toBe('');
    expect(text.includes('Installing what requirements.yml asks for')).toBe(name === 'some');
    expect(text).toContain('"agent.sock"');
    expect(text).not.toContain('"git-');
    expect(text).not.toContain('passphrase');
  });
});
