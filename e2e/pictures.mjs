// Pictures of the console with realistic data, made from a real server: npm run pictures
// They go to e2e/pictures/, which git does not keep. docs/log.png, the one in the README, is copied from there by hand.

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buildStale } from '../scripts/build-stale.mjs';
import { launchBrowser } from './fixtures/browser.ts';
import { signInAsAdmin } from './fixtures/console.ts';
import { makeGitRepository } from './fixtures/git-repository.ts';
import { countPastTasks } from './fixtures/past-tasks.ts';
import { projectRoot, startServer } from './fixtures/server.ts';
import { makeShowcase } from './fixtures/showcase.ts';
import { showcaseFiles } from './fixtures/showcase-scripts.ts';
import { addTriggers } from './fixtures/showcase-triggers.ts';
import { waitForLine } from './fixtures/tasks.ts';

const target = join(projectRoot, 'e2e/pictures');
const looks = [1440, 390].flatMap((width) => [false, true].map((dark) => ({ width, dark })));

/** Screens of the whole server, and a text of each that says that it is there. */
const administration = {
  users: { path: '/users', text: 'Administrator' },
  account: { path: '/users?account=security', text: 'Two-step verification' },
  tokens: { path: '/tokens', text: 'No API tokens yet' },
  applications: { path: '/apps', text: 'Ansible Playbook' },
  'active-tasks': { path: '/tasks', text: 'Local Running' },
  runners: { path: '/runners?edit=new', text: 'Max parallel tasks' },
};

await mkdir(target, { recursive: true });
await buildStale();
await using repository = await makeGitRepository(showcaseFiles);
await using server = await startServer({ localRepositories: [repository.parent] });
await repository.commit('Pin nginx to 1.27 on web tier', {});
const api = await server.signIn();
const showcase = await makeShowcase(api, repository.path);
await waitForLine(api, showcase.running, 'upgrade openssl');
countPastTasks(server.dataDir, { projectId: showcase.projectId, templateId: showcase.deploy.id });
const { scheduleId, integrationId } = await addTriggers(api, showcase.deploy);
const workAreas = {
  schedules: 'schedule',
  'schedule-form': `schedule?edit=${scheduleId}`,
  integrations: 'integrations',
  integration: `integrations/${integrationId}`,
  delivery: `integrations/${integrationId}?delivery=1`,
  inventories: 'inventory',
  'inventory-form': 'inventory?edit=1',
};
await using browser = await launchBrowser();
for (const look of looks) await takePictures(look);

/** @param {{ width: number, dark: boolean }} look */
async function takePictures({ width, dark }) {
  const window = await browser.open(server.url, { width, height: width < 960 ? 844 : 900, dark });
  const { page } = window;
  const suffix = `${dark ? 'dark' : 'light'}-${width}`;

  /** @param {string} name */
  async function shoot(name) {
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(400); // transitions of the kit end within 250 ms
    await page.screenshot({ path: join(target, `${name}-${suffix}.png`) });
  }

  await page.goto('/auth/login');
  await page.getByLabel('Username').waitFor();
  await shoot('login');
  await signInAsAdmin(page);
  await page.goto(`/project/${showcase.projectId}/templates`);
  await page.getByText('Patch web tier (canary)').first().waitFor();
  await shoot('templates');
  await page.goto(`/project/${showcase.projectId}/templates/${showcase.deploy.id}`);
  await page.getByRole('button', { name: 'Run', exact: true }).first().click();
  await page.getByRole('dialog').getByText('Batch size').waitFor();
  await shoot('launch');
  await page.goto(`/project/${showcase.projectId}/templates/${showcase.deploy.id}/details`);
  await page.getByRole('figure').waitFor();
  await shoot('template-details');
  await page.goto(`/project/${showcase.projectId}/templates/${showcase.deploy.id}/tasks?dialog=edit`);
  await page.getByRole('dialog').getByText('Build template').first().waitFor();
  await shoot('template-edit');
  for (const range of ['week', 'month', 'year']) {
    await page.goto(`/project/${showcase.projectId}/stats?range=${range}`);
    await page.locator('canvas').waitFor();
    await shoot(`stats-${range}`);
  }
  for (const [screen, text] of Object.entries({
    history: 'Patch web tier (canary)',
    activity: 'queued for running',
    team: 'Administrator',
    settings: 'Danger zone',
  })) {
    await page.goto(`/project/${showcase.projectId}/${screen}`);
    await page.getByRole('main').getByText(text).first().waitFor();
    await shoot(screen);
  }
  for (const [name, place] of Object.entries(workAreas)) {
    await page.goto(`/project/${showcase.projectId}/${place}`);
    await page.waitForLoadState('networkidle');
    await shoot(name);
  }
  for (const [name, { path, text }] of Object.entries(administration)) {
    await page.goto(path);
    // On a phone the menu, which is out of sight, has some of these words, too.
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    await shoot(name);
  }
  for (const [name, place] of Object.entries({
    running: showcase.running,
    finished: showcase.finished,
    failed: showcase.failed,
  })) {
    await page.goto(`/project/${showcase.projectId}/history?t=${place.task_id}`);
    await page.getByText('TASK [').first().waitFor();
    await shoot(`log-${name}`);
  }
  await page.goto(`/project/${showcase.projectId}/tasks/${showcase.running.task_id}`);
  await page.getByText('TASK [').first().waitFor();
  await page.getByLabel('Find in the log').fill('openssl');
  await page.getByText(/ of \d+$/).waitFor();
  await shoot('page-running');
  await window.close();
  console.log(`e2e/pictures/*-${suffix}.png`);
}
