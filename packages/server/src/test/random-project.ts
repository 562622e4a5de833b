import { hostKeyPolicies } from '@signalbox/contract/host-keys';
import type { TestServer } from './start-test-server.ts';

/** Numbers that are the same for the same seed. */
class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed * 2_654_435_761;
  }

  /** From 0 to below `sides`. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * sides);
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[this.roll(list.length)] ?? list[0];
  }

  take(ids: readonly number[]): number | undefined {
    return ids[this.roll(ids.length)];
  }

  flip(): boolean {
    return this.roll(2) === 1;
  }

  /** One of the ids, or null. */
  maybe(ids: readonly number[]): number | null {
    return ids[this.roll(ids.length + 1)] ?? null;
  }
}

type Made = { id: number };
type Post = (path: string, body?: object) => Promise<number>;
type Repeat = (make: () => Promise<number>) => Promise<number[]>;

/** Objects with random names, many of them the same, and random options; made through the API. @returns how many */
export async function fillAtRandom(
  server: TestServer,
  projectId: number,
  owner: { session: string },
  seed: number,
): Promise<number> {
  const dice = new Dice(seed);
  let made = 0;
  const post: Post = async (path, body) => {
    const answer = await server.call('POST', `/project/${projectId}/${path}`, { session: owner.session, body });
    if (answer.status >= 300) throw new Error(`POST ${path} ${JSON.stringify(body)}: ${answer.status} ${answer.text}`);
    return (answer.body as Made).id;
  };
  const repeat: Repeat = async (make) => {
    const ids: number[] = [];
    for (let count = 1 + dice.roll(4); count > 0; count -= 1) {
      ids.push(await make());
      made += 1;
    }
    return ids;
  };
  const parts = await addParts(dice, post, repeat);
  const templates = await addTemplates(dice, post, repeat, parts);
  await repeat(() =>
    post('schedules', {
      ...randomSchedule(dice),
      template_id: templates.deploys[0],
      repository_id: dice.maybe(parts.repositories),
    }),
  );
  await repeat(() => addIntegration(dice, post, { templateId: templates.builds[0], keys: parts.passwordKeys }));
  if (dice.flip()) await post('integrations/aliases');
  return made;
}

type Parts = Record<'passwordKeys' | 'views' | 'environments' | 'repositories' | 'inventories', number[]>;

async function addParts(dice: Dice, post: Post, repeat: Repeat): Promise<Parts> {
  const keys = await repeat(() => post('keys', randomKey(dice)));
  const login_password = { login: '', password: 'x' };
  const passwordKeys = await repeat(() =>
    post('keys', { name: randomName(dice), type: 'login_password', login_password }),
  );
  const views = await repeat(() => post('views', { title: randomName(dice).slice(0, 95), position: dice.roll(9) - 4 }));
  const environments = await repeat(() => post('environment', randomEnvironment(dice)));
  const repositories = await repeat(() => post('repositories', { ...randomRepository(dice), ssh_key_id: keys[0] }));
  const inventories = await repeat(() =>
    post('inventory', {
      ...randomInventory(dice),
      ssh_key_id: dice.maybe(keys),
      become_key_id: dice.maybe(passwordKeys),
      repository_id: dice.maybe(repositories),
    }),
  );
  return { passwordKeys, views, environments, repositories, inventories };
}

async function addTemplates(
  dice: Dice,
  post: Post,
  repeat: Repeat,
  { passwordKeys, views, environments, repositories, inventories }: Parts,
): Promise<{ builds: number[]; deploys: number[] }> {
  const links = () => ({
    name: randomName(dice).slice(0, 95),
    repository_id: dice.take(repositories),
    environment_id: dice.maybe(environments),
    view_id: dice.maybe(views),
  });
  const build = { app: 'bash', type: 'build', start_version: '1.0' };
  const vaults = [
    { type: 'password', vault_key_id: passwordKeys[0] },
    { name: 'x', type: 'script', script: 'a-client' },
  ];
  const builds = await repeat(() => post('templates', { ...links(), ...randomTemplate(dice), ...build }));
  const deploys = await repeat(() =>
    post('templates', {
      ...links(),
      ...randomTemplate(dice),
      app: 'ansible',
      type: 'deploy',
      build_template_id: dice.take(builds),
      inventory_id: dice.take(inventories),
      vaults: vaults.slice(dice.roll(3)),
    }),
  );
  await repeat(() => post('templates', { ...links(), app: dice.pick(['terraform', 'tofu']), playbook: '' }));
  return { builds, deploys };
}

async function addIntegration(
  dice: Dice,
  post: Post,
  { templateId, keys }: { templateId: number | undefined; keys: number[] },
): Promise<number> {
  const links = { template_id: templateId, auth_secret_id: dice.maybe(keys) };
  const id = await post('integrations', { ...randomIntegration(dice), ...links });
  if (dice.flip()) await post(`integrations/${id}/aliases`);
  const matcher = { name: randomName(dice), match_type: 'body', body_data_type: 'string', key: 'k' };
  const method = dice.pick(['equals', 'unequals', 'contains']);
  if (dice.flip()) await post(`integrations/${id}/matchers`, { ...matcher, method, value: randomText(dice) || 'v' });
  return id;
}

/** Few of them, so that many are the same; some end like those that are made unique, some are as long as can be. */
function randomName(dice: Dice): string {
  const names = [
    'Site',
    'Site',
    'Site (2)',
    'site',
    'Ähre 😀',
    '__proto__',
    'a "b" \\c',
    `${'x'.repeat(95)}😀😀`,
    '(2)',
  ] as const;
  return dice.pick(names);
}

function randomText(dice: Dice): string {
  return dice.pick(['', ' x ', 'ä\n\tß', '😀'.repeat(20), '{"a":1}', '\u2028', '$(id) `id`', 'null']);
}

function randomKey(dice: Dice): object {
  const name = randomName(dice);
  return dice.flip() ? { name, type: 'none' } : { name, type: 'ssh', ssh: { private_key: 'x' } };
}

function randomEnvironment(dice: Dice): object {
  const texts = { [dice.flip() ? 'A' : 'B']: randomText(dice) };
  const secret = (type: string, name: string) => ({ type, name, secret: 'x', operation: 'create' });
  return {
    name: randomName(dice),
    json: JSON.stringify(dice.flip() ? {} : { ...texts, nested: { list: [1.5, null, true] } }, null, dice.roll(3)),
    env: dice.flip() ? null : JSON.stringify(texts),
    secrets: [secret('var', 'a'), secret('env', 'a'), secret('env', 'B')].slice(dice.roll(4)),
  };
}

function randomRepository(dice: Dice): object {
  const git_url = dice.pick(['git@h:a.git', 'https://u@h/a.git', '/srv/a', 'ssh://git@h:2222/a', 'file:///a']);
  const host_key_policy = dice.pick(hostKeyPolicies);
  return { name: randomName(dice), git_url, git_branch: dice.pick(['main', 'feature/ä', 'v1']), host_key_policy };
}

function randomInventory(dice: Dice): object {
  const type = dice.pick(['static', 'static-yaml', 'file']);
  const host_key_policy = dice.pick(hostKeyPolicies);
  return { name: randomName(dice), type, inventory: type === 'file' ? 'hosts' : randomText(dice), host_key_policy };
}

function randomTemplate(dice: Dice): object {
  const variable = { title: randomText(dice).trim() || 'T', required: dice.flip(), description: randomText(dice) };
  return {
    description: dice.flip() ? null : randomText(dice),
    playbook: dice.pick(['a.yml', './b.yml', 'c d/e.yml']),
    arguments: dice.pick([null, '', '[]', '["-v", "--x=\\"y\\""]']),
    autorun: dice.flip(),
    allow_override_args_in_task: dice.flip(),
    allow_parallel_tasks: dice.flip(),
    suppress_success_alerts: dice.flip(),
    git_branch: dice.pick([null, '', 'x']),
    runner_tag: dice.pick([null, '', 'dmz']),
    timeout_seconds: dice.roll(3) * 60,
    stop_grace_seconds: dice.flip() ? null : dice.roll(3),
    survey_vars: [
      { ...variable, name: 'a', type: dice.pick(['', 'int', 'secret']) },
      { ...variable, name: 'b', type: 'enum', values: [{ name: 'x', value: randomText(dice) }] },
    ].slice(dice.roll(3)),
    task_params: dice.flip() ? null : { limit: ['web'], allow_debug: dice.flip(), auto_approve: dice.flip() },
  };
}

function randomSchedule(dice: Dice): object {
  return {
    name: randomName(dice),
    cron_format: dice.pick(['* * * * *', '@hourly', '@every 90m', '0 3 * * sun', 'CRON_TZ=Asia/Tokyo 5 4 1 * *']),
    timezone: dice.pick(['', 'UTC', 'America/New_York']),
    active: dice.flip(),
    params: dice.pick([null, {}, { message: 'm' }, { params: {} }, { params: { dry_run: true, limit: 'web,db' } }]),
  };
}

function randomIntegration(dice: Dice): object {
  return {
    name: randomName(dice),
    auth_method: dice.pick(['', 'github', 'token', 'hmac']),
    auth_header: 'X-Token',
    searchable: dice.flip(),
    task_params: dice.pick([null, {}, { debug: true }, { limit: 'a, b' }]),
  };
}
