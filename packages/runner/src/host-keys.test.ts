import { existsSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import type { HostKeyPolicy } from '@signalbox/contract/host-keys';
import type { Job } from '@signalbox/contract/job';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTool } from './prepare/find-tool.ts';
import { makeJob, Yard } from './test/fixtures.ts';
import { SshServer } from './test/ssh-server.ts';

const canServeSsh = existsSync('/usr/sbin/sshd') && process.getuid?.() === 0;
const hasAnsible = findTool('ansible-playbook', process.env.PATH ?? '') !== null;
const timeout = 90_000;
const none = { type: 'none' as const };

describe.skipIf(!canServeSsh)(`keys of hosts${canServeSsh ? '' : ' (needs sshd as root)'}`, { timeout }, () => {
  let yard: Yard;
  let ssh: SshServer;
  beforeEach(async () => {
    yard = await Yard.open();
    ssh = await SshServer.start(yard.directory);
  });
  afterEach(async () => {
    await yard.close();
    await ssh.close();
  });

  const login = () => ({
    type: 'ssh' as const,
    login: userInfo().username,
    passphrase: '',
    private_key: ssh.plainKey,
  });

  async function run(job: Job): Promise<{ outcome: string; reason: string; text: string }> {
    const track = yard.server.add({ ...job, task_id: makeJob('/x').task_id });
    const { outcome, reason } = await yard.server.finished(track, timeout);
    return { outcome, reason, text: yard.server.textOf(track) };
  }

  function cloned(path: string, host_key_policy: HostKeyPolicy, id = 1): Job {
    const job = makeJob(`ssh://127.0.0.1:${ssh.port}${path}`);
    return { ...job, repository: { ...job.repository, id, key: login(), host_key_policy } };
  }

  it('remembers the host of a repository, refuses another key from then on, and checks nothing where that is off', async () => {
    const path = yard.repository('code', { 'run.sh': 'echo cloned' });
    expect(await run(cloned(path, 'accept-new'))).toMatchObject({ outcome: 'success' });
    expect(await run(cloned(path, 'strict'))).toMatchObject({ outcome: 'success' });
    await ssh.changeHostKey();
    for (const policy of ['accept-new', 'strict'] as const) {
      const { outcome, reason } = await run(cloned(path, policy));
      expect([outcome, reason]).toEqual(['error', expect.stringContaining('has changed')]);
    }
    expect(await run(cloned(path, 'off'))).toMatchObject({ outcome: 'success' });
    // What was not checked was not believed either.
    expect((await run(cloned(path, 'accept-new'))).outcome).toBe('error');
  });

  it('refuses a repository whose host is not known where only known ones may be', async () => {
    const path = yard.repository('strict', { 'run.sh': 'echo cloned' });
    const { outcome, reason } = await run(cloned(path, 'strict', 7));
    expect([outcome, reason]).toEqual(['error', expect.stringMatching(/No \S+ host key is known for/)]);
    expect(existsSync(join(yard.dataDir, 'known-hosts', 'repository-7'))).toBe(false);
  });

  it('asks for the head of a repository by the same rule', async () => {
    const path = yard.repository('asked', { 'run.sh': 'true' });
    const ask = async (policy: HostKeyPolicy) => {
      const { repository, task_id } = cloned(path, policy, 9);
      const probe_id = `p${task_id}`;
      yard.server.addProbe({ probe_id, kind: 'repository_test', repository });
      await yard.server.until(() => yard.server.probeAnswers.has(probe_id), timeout);
      return yard.server.probeAnswers.get(probe_id);
    };
    expect(await ask('strict')).toMatchObject({ ok: false, text: expect.stringContaining('host key') });
    expect(await ask('accept-new')).toMatchObject({ ok: true });
    expect(await ask('strict')).toMatchObject({ ok: true });
    await ssh.changeHostKey();
    expect(await ask('accept-new')).toMatchObject({ ok: false, text: expect.stringContaining('has changed') });
  });

  it.skipIf(!hasAnsible)(
    'lets Galaxy clone by the rule of the repository, and by what is known of its host',
    async () => {
      const role = yard.repository('role', { 'meta/main.yml': 'galaxy_info: {}\n', 'tasks/main.yml': '[]\n' });
      const wanted = `roles:\n  - {src: "ssh://127.0.0.1:${ssh.port}${role}", scm: git, name: role, version: main}\n`;
      const play = '- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks: []\n';
      const path = yard.repository('galaxy', { 'site.yml': play, 'requirements.yml': wanted });
      const played = (policy: HostKeyPolicy): Job => ({
        ...cloned(path, policy, 11),
        app: { id: 'ansible', path: '', args: null },
        playbook: 'site.yml',
      });
      expect((await run(cloned(yard.repository('first', { 'run.sh': 'true' }), 'accept-new', 11))).outcome).toBe(
        'success',
      );
      const { outcome, text } = await run(played('strict'));
      expect([outcome, text]).toEqual(['success', expect.stringContaining('role (main) was installed successfully')]);
      expect(existsSync(join(yard.dataDir, 'known-hosts', 'project-1'))).toBe(false);
    },
  );

  it.skipIf(!hasAnsible)('checks the hosts of an inventory by its rule', async () => {
    const play = '- hosts: all\n  gather_facts: false\n  tasks:\n    - ansible.builtin.raw: echo reached\n';
    const trusting = { 'site.yml': play, 'ansible.cfg': '[defaults]\nhost_key_checking = False\n' };
    const paths = { plain: yard.repository('play', { 'site.yml': play }), trusting: yard.repository('cfg', trusting) };
    const played = (host_key_policy: HostKeyPolicy, project = 1, path = paths.plain): Job => ({
      ...makeJob(path, { app: { id: 'ansible', path: '', args: null }, playbook: 'site.yml', project_id: project }),
      inventory: {
        type: 'static',
        content: `target ansible_host=127.0.0.1 ansible_port=${ssh.port}\n`,
        ssh_key: login(),
        become_key: none,
        host_key_policy,
        repository: null,
      },
    });
    const unknown = await run(played('strict'));
    expect([unknown.outcome, unknown.text]).toEqual(['error', expect.stringContaining('Host key verification failed')]);
    expect((await run(played('accept-new'))).outcome).toBe('success');
    expect((await run(played('strict'))).outcome).toBe('success');
    // What one project has learnt is not another one's.
    expect((await run(played('strict', 2))).outcome).toBe('error');
    await ssh.changeHostKey();
    const changed = await run(played('accept-new'));
    expect([changed.outcome, changed.text]).toEqual(['error', expect.stringContaining('Host key verification failed')]);
    expect((await run(played('off'))).outcome).toBe('success');
    // The code may say that nothing is checked, but not against what was chosen for the inventory.
    expect((await run(played('accept-new', 1, paths.trusting))).outcome).toBe('success');
    expect((await run(played('strict', 1, paths.trusting))).outcome).toBe('error');
    expect(
      readFileSync(join(yard.dataDir, 'known-hosts', 'project-1'), 'utf8')
        .trim()
        .split('\n'),
    ).toHaveLength(1);
  });
});
