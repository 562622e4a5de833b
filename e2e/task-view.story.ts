import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { makeStandIns } from './fixtures/stand-ins.ts';
import { launch, waitForSuccess, waitForTask } from './fixtures/tasks.ts';
import { makeTempDir, type TempDir } from './fixtures/temp-dir.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');
const code = `resource "terraform_data" "one" {
  input = "v1"
}
`;

describe.skipIf(missing)(`a task over a screen${because(missing)}`, () => {
  let home: TempDir;
  let area: WorkArea;

  beforeAll(async () => {
    home = await makeTempDir('task-view');
    const { directory } = await makeStandIns(home.path);
    const env = { PATH: `${directory}:${process.env.PATH}` };
    area = await openWorkArea({ 'quick.sh': 'echo quick\n', 'tofu/main.tf': code }, env);
    await area.server.waitForRunner();
  });
  afterEach(() => area.closeWindows());
  afterAll(async () => {
    await area?.[Symbol.asyncDispose]();
    await home?.[Symbol.asyncDispose]();
  });

  test('a plan that waits is shown with Confirm and Reject, which a guest may not press', async () => {
    const plan = async (name: string) => {
      const more = { name, app: 'tofu', playbook: 'tofu', inventory_id: null };
      const task = await launch(area.api, await addTemplate(area.api, area.workshop, more));
      await waitForTask(area.api, task, ({ status }) => status === 'waiting_confirmation');
      return task;
    };
    const [bad, good] = await Promise.all([plan('North'), plan('South')]);
    const guest = await area.open(`history?t=${bad.task_id}`, 'guest');
    const page = await area.open(`history?t=${bad.task_id}`, 'task_runner');
    const view = page.getByRole('article');
    await view.getByText('Waiting confirmation').first().waitFor();
    await view.getByText('terraform_data.one').first().waitFor();
    await view.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    for (const name of ['Confirm', 'Reject']) {
      const button = guest.getByRole('article').getByRole('button', { name, exact: true });
      await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true');
    }
    await view.getByRole('button', { name: 'Reject', exact: true }).click();
    await view.getByText('Stopped', { exact: true }).first().waitFor();
    await guest.getByRole('article').getByText('Stopped', { exact: true }).first().waitFor();
    await page.goto(area.at(`history?t=${good.task_id}`));
    await view.getByRole('button', { name: 'Confirm', exact: true }).click();
    await view.getByText('Success', { exact: true }).first().waitFor({ timeout: 60_000 });
    await expect.poll(() => view.getByRole('button', { name: /^(Confirm|Reject)$/ }).count()).toBe(0);
  });

  test('its log fills the screen where that was chosen, also after a reload', async () => {
    const template = await addTemplate(area.api, area.workshop, { name: 'Quick', playbook: 'quick.sh' });
    const task = await launch(area.api, template);
    await waitForSuccess(area.api, task);
    const page = await area.open(`history?t=${task.task_id}`);
    const width = async () => (await page.getByRole('dialog').boundingBox())?.width ?? 0;
    const whole = page.viewportSize()?.width ?? 0;
    await page.getByRole('button', { name: 'Full screen' }).waitFor();
    expect(await width()).toBeLessThan(whole);
    await page.getByRole('button', { name: 'Full screen' }).click();
    await expect.poll(width).toBe(whole);
    await page.reload();
    await page.getByRole('button', { name: 'Leave full screen' }).waitFor();
    expect(await width()).toBe(whole);
    await page.getByRole('button', { name: 'Leave full screen' }).click();
    await expect.poll(width).toBeLessThan(whole);
  });

  test('it tells template, build, version, commit, message, who started it, when, and its values', async () => {
    const build = await addTemplate(area.api, area.workshop, {
      name: 'Builds',
      playbook: 'quick.sh',
      type: 'build',
      start_version: '2.7.0',
    });
    const built = await launch(area.api, build);
    await waitForSuccess(area.api, built);
    const deploy = await addTemplate(area.api, area.workshop, {
      name: 'Deploys',
      playbook: 'quick.sh',
      type: 'deploy',
      build_template_id: build.id,
      allow_override_args_in_task: true,
      survey_vars: [{ name: 'region', title: 'Region', description: '', type: '', required: true, values: [] }],
    });
    const task = await launch(area.api, deploy, {
      build_task_id: built.task_id,
      message: 'Roll it out',
      environment: '{"region":"eu-west"}',
      arguments: '["--slowly"]',
    });
    const { commit_hash: hash, status } = await waitForSuccess(area.api, task);
    const page = await area.open(`tasks/${task.task_id}`);
    const facts = page.getByRole('complementary', { name: 'About this task' });
    for (const text of ['Deploys', '2.7.0', hash?.slice(0, 10) ?? 'none', 'Roll it out', 'admin', 'eu-west']) {
      await facts.getByText(text).first().waitFor();
    }
    for (const label of ['Started by', 'Started', 'Ended', 'Template', 'Build', 'Commit', 'Message', 'Runner']) {
      await facts.getByText(label, { exact: true }).waitFor();
    }
    await facts.getByText('--slowly').waitFor();
    expect(status).toBe('success');
    await page.getByText('Success', { exact: true }).first().waitFor();
    await page.goto(area.at(`tasks/${built.task_id}`));
    await facts.getByText('Version', { exact: true }).waitFor();
    await facts.getByText('2.7.0').waitFor();
  });
});
