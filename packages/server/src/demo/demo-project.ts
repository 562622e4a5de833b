import { TemplateInput } from '@signalbox/contract/templates';
import * as z from 'zod/mini';
import type { Actor } from '../auth/actor.ts';
import type { Db } from '../db/database.ts';
import type { Keyring } from '../db/secrets.ts';
import { addEnvironment } from '../features/environments/environments.ts';
import { addInventory } from '../features/inventories/inventories.ts';
import type { NewProject } from '../features/projects/projects.ts';
import { addRepository } from '../features/repositories/repositories.ts';
import { addTemplate } from '../features/templates/templates.ts';

const inventory = `[demo]
localhost ansible_connection=local ansible_python_interpreter="{{ ansible_playbook_python }}"
`;

const survey = [
  { name: 'name', title: 'Who shall be greeted?', description: 'Any name', required: true },
  {
    name: 'greeting',
    title: 'Greeting',
    type: 'enum',
    values: [
      { name: 'Good morning', value: 'Good morning' },
      { name: 'Good evening', value: 'Good evening' },
    ],
  },
];

/** Fills a project with templates that run on this machine and need no network. */
export async function fillDemoProject(
  db: Db,
  keyring: Keyring,
  actor: Actor,
  { projectId, noneKeyId }: NewProject,
  repositoryAddress: string,
): Promise<void> {
  const repository = await addRepository(db, actor, projectId, {
    name: 'Demo',
    git_url: repositoryAddress,
    git_branch: 'main',
    ssh_key_id: noneKeyId,
  });
  const hosts = await addInventory(db, actor, projectId, {
    name: 'This machine',
    type: 'static',
    inventory,
    ssh_key_id: noneKeyId,
  });
  const variables = await addEnvironment(db, keyring, projectId, {
    name: 'Demo variables',
    json: JSON.stringify({ greeting: 'Good morning' }, null, 2),
    env: JSON.stringify({ DEMO_STAGE: 'demo' }, null, 2),
    secrets: [{ type: 'env', name: 'DEMO_TOKEN', secret: 'signals-are-set-to-clear', operation: 'create' }],
  });
  const links = { repository_id: repository.id, environment_id: variables.id };
  const add = (input: z.input<typeof TemplateInput>) =>
    addTemplate(db, actor, projectId, z.parse(TemplateInput, { ...links, ...input }));

  await add({
    name: 'Say hello',
    description: 'Asks for a name and shows what colours look like.',
    app: 'bash',
    playbook: 'bash/hello.sh',
    survey_vars: survey as z.input<typeof TemplateInput>['survey_vars'],
    allow_parallel_tasks: true,
  });
  const build = await add({
    name: 'Build the site',
    description: 'Takes about 20 seconds and counts the version up.',
    app: 'bash',
    type: 'build',
    start_version: '1.0.0',
    playbook: 'bash/build.sh',
  });
  await add({
    name: 'Deploy the site',
    description: 'Deploys a version that was built before.',
    app: 'bash',
    type: 'deploy',
    build_template_id: build.id,
    playbook: 'bash/deploy.sh',
  });
  await add({
    name: 'Use a secret',
    description: 'The script gets it, the log does not.',
    app: 'bash',
    playbook: 'bash/secret.sh',
  });
  await add({
    name: 'Fail on purpose',
    description: 'Shows how a failure looks.',
    app: 'bash',
    playbook: 'bash/fail.sh',
  });
  await add({ name: 'Report on this machine', app: 'python', playbook: 'python/report.py' });
  await add({
    name: 'Playbook for this machine',
    description: 'Needs Ansible on the machine of the runner.',
    app: 'ansible',
    playbook: 'ansible/site.yml',
    inventory_id: hosts.id,
  });
}
