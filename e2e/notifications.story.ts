import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { projectRoutes } from '@signalbox/contract/projects';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { signInAsAdmin } from './fixtures/console.ts';
import { because, missingFor } from './fixtures/needs.ts';
import { addTemplate } from './fixtures/projects.ts';
import { launch, waitForEnd } from './fixtures/tasks.ts';
import { openWorkArea, type WorkArea } from './fixtures/work-area.ts';

const missing = missingFor('chromium');

describe.skipIf(missing)(`notifications${because(missing)}`, () => {
  let area: WorkArea;
  let receiver: Server;
  /** What the receiver answers from now on. */
  let status = 200;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(status).end(status === 200 ? 'ok' : 'no such team'));
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    area = await openWorkArea(
      { 'quick.sh': 'echo quick\n' },
      { SIGNALBOX_SLACK_ALERT: '1', SIGNALBOX_SLACK_URL: `${url}/hook` },
    );
  });

  afterEach(() => area.closeWindows());
  afterAll(async () => {
    await area?.[Symbol.asyncDispose]();
    receiver?.closeAllConnections();
    receiver?.close();
  });

  const rows = (page: Page) => page.getByRole('table', { name: 'Notifications' }).getByRole('row');

  test('without alerts the screen says so and leads to the switch; with them it shows what was sent', async () => {
    const page = await area.open('settings');
    await page.getByRole('link', { name: 'See what was sent' }).click();
    await page.getByText('alerts are not allowed').waitFor();
    await page.getByText('Nothing was sent yet').waitFor();
    await page.getByRole('link', { name: 'Change that in the settings' }).click();
    await page.getByLabel('Allow alerts for this project').check();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Project Workshop saved').waitFor();
    const { projectId } = area.workshop;
    expect(await area.api.call(projectRoutes.get, { params: { project_id: projectId } })).toMatchObject({
      alert: true,
    });

    await page.goto(area.at('notifications'));
    const template = await addTemplate(area.api, area.workshop, { name: 'Nightly', playbook: 'quick.sh' });
    const task = await launch(area.api, template);
    await waitForEnd(area.api, task);
    const row = rows(page).filter({ hasText: 'Nightly' });
    await row.getByText('Sent', { exact: true }).waitFor();
    await row.getByText('Slack').waitFor();
    await row.getByRole('link', { name: `#${task.task_id} Nightly` }).click();
    await page.waitForURL(new RegExp(`/tasks/${task.task_id}$`));
    await page.goBack();
    await row.waitFor();
  });

  test('the test button says channel by channel what has become of a message', async () => {
    const page = await area.open('notifications');
    await page.getByRole('button', { name: 'Send a test message' }).click();
    const outcome = page.getByRole('status').filter({ hasText: 'Test messages' });
    await outcome.getByText('Sent', { exact: true }).waitFor();
    status = 404;
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await outcome.getByText('The receiver answered 404: no such team').waitFor();
    await outcome.getByText('Given up', { exact: true }).waitFor();
    status = 200;
    await rows(page).filter({ hasText: 'Test message' }).filter({ hasText: 'Given up' }).waitFor();
    await page.reload();
    await rows(page).filter({ hasText: 'Test message' }).filter({ hasText: 'answered 404' }).waitFor();
  });

  test('administrators see the messages of all projects', async () => {
    const page = await area.open('../../notifications');
    await rows(page).filter({ hasText: 'Nightly' }).getByRole('link', { name: 'Workshop' }).click();
    await page.waitForURL(new RegExp(`${area.at('notifications')}$`));
  });

  test.each(['manager', 'task_runner', 'guest'] as const)('a %s sees no message, and is told why', async (role) => {
    const page = await area.open('notifications', role);
    await page.getByText('You may not see the notifications of this project').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Send a test message' }).count()).toBe(0);
    await page.goto('/notifications');
    await page.getByText('administrators').first().waitFor();
    await expect.poll(() => page.getByRole('table').count()).toBe(0);
  });

  test('a link to the messages comes back to them after the sign-in', async () => {
    const page = await area.openSignedOut();
    await page.goto(area.at('notifications'));
    await signInAsAdmin(page);
    await rows(page).filter({ hasText: 'Nightly' }).waitFor();
  });
});
