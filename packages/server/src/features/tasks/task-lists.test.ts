import { type TaskItem, taskRoutes } from '@signalbox/contract/tasks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { aProject, aTemplate, type TestProject } from '../../test/factories.ts';
import { insertTask } from '../../test/rows.ts';
import { startTestServer, type TestServer } from '../../test/start-test-server.ts';

let server: TestServer;
let project: TestProject;
let templateId: number;
let otherTemplateId: number;
/** Newest first. */
const ids: number[] = [];

beforeAll(async () => {
  server = await startTestServer();
  project = await aProject(server);
  const elsewhere = await aProject(server);
  templateId = await aTemplate(server, project, { name: 'Site', playbook: 'site.sh' });
  otherTemplateId = await aTemplate(server, project);
  const foreignTemplateId = await aTemplate(server, elsewhere);
  for (let count = 0; count < 12; count += 1) {
    const id = await server.database.transact((db) =>
      insertTask(db, {
        project_id: project.id,
        template_id: count % 4 === 3 ? otherTemplateId : templateId,
        status: count % 3 === 0 ? 'error' : 'success',
        user_id: project.runner.id,
      }),
    );
    ids.unshift(id);
    await server.database.transact((db) =>
      insertTask(db, { project_id: elsewhere.id, template_id: foreignTemplateId, status: 'success' }),
    );
  }
});
afterAll(() => server.stop());

type List = { ids: number[]; next: string | undefined; items: TaskItem[] };

async function ask(path: string): Promise<List> {
  const answer = await server.call('GET', `/project/${project.id}${path}`, { session: project.guest.session });
  expect(answer.status, answer.text).toBe(200);
  const items = answer.body as TaskItem[];
  const [, next] = /^<(\?[^>]*)>; rel="next"$/.exec(String(answer.headers.link ?? '')) ?? [];
  return { ids: items.map(({ id }) => id), next, items };
}

async function followLinks(path: string, query: string): Promise<number[][]> {
  const pages: number[][] = [];
  let next: string | undefined = query;
  while (next !== undefined && pages.length < 100) {
    const page: List = await ask(`${path}${next}`);
    pages.push(page.ids);
    next = page.next;
  }
  return pages;
}

describe.each(['/tasks', '/tasks/last'])('GET P%s', (path) => {
  test('goes on page by page, without gap and repetition, and the last page says so', async () => {
    const pages = await followLinks(path, '?limit=5');
    expect(pages.map((page) => page.length)).toEqual([5, 5, 2]);
    expect(pages.flat()).toEqual(ids);
  });

  test('has no link where a page holds exactly the rest', async () => {
    expect(await ask(`${path}?limit=12`)).toMatchObject({ ids, next: undefined });
  });

  test('keeps its page while new tasks come', async () => {
    const { next } = await ask(`${path}?limit=3`);
    const late = await server.database.transact((db) =>
      insertTask(db, { project_id: project.id, template_id: templateId, status: 'stopped' }),
    );
    expect((await ask(`${path}${next}`)).ids).toEqual(ids.slice(3, 6));
    await server.database.transact((db) => db.deleteFrom('task').where('id', '=', late).execute());
  });

  test('shows the tasks of one status, page by page too, and none of a status that does not exist', async () => {
    const errors = ids.filter((_id, index) => (11 - index) % 3 === 0);
    const pages = await followLinks(path, '?status=error&limit=3');
    expect(pages.flat()).toEqual(errors);
    expect((await ask(`${path}?status=odd`)).ids).toEqual([]);
    expect((await ask(`${path}?status=`)).ids).toEqual(ids);
  });

  test.each(['0', '-1', 'x', '1.5', '99999999999999999999', ''])('refuses to go on before "%s"', async (before) => {
    const answer = await server.call('GET', `/project/${project.id}${path}?before=${before}`, {
      session: project.guest.session,
    });
    expect([answer.status, answer.error.code]).toEqual([400, 'invalid']);
  });
});

test.each(['tasks', 'tasks/last'])('the %s of a template are paged alike', async (path) => {
  const own = ids.filter((_id, index) => (11 - index) % 4 !== 3);
  expect((await followLinks(`/templates/${templateId}/${path}`, '?limit=4')).flat()).toEqual(own);
  const pages = await followLinks(`/templates/${otherTemplateId}/${path}`, '?limit=1&status=success');
  expect(pages.flat()).toHaveLength(2);
});

test('an item of a list shows its template, its user and the whole build that it deploys', async () => {
  const buildTemplate = await aTemplate(server, project, { type: 'build', start_version: '1.0.0' });
  const deployTemplate = await aTemplate(server, project, {
    type: 'deploy',
    build_template_id: buildTemplate,
    name: 'Deploy',
    playbook: 'deploy.sh',
  });
  const { build, deploy } = await server.database.transact(async (db) => {
    const values = { project_id: project.id, status: 'success', message: 'why' } as const;
    const first = await insertTask(db, { ...values, template_id: buildTemplate, version: '1.0.7' });
    const second = await insertTask(db, { ...values, template_id: deployTemplate, build_task_id: first });
    return { build: first, deploy: second };
  });
  const { body } = await server.ask(taskRoutes.last, {
    params: { project_id: project.id },
    query: { limit: '2' },
    session: project.guest.session,
  });
  expect(body[0]).toMatchObject({
    id: deploy,
    tpl_alias: 'Deploy',
    tpl_playbook: 'deploy.sh',
    tpl_type: 'deploy',
    tpl_app: 'bash',
    user_name: null,
    build_task: { id: build, version: '1.0.7', status: 'success', message: 'why', template_id: buildTemplate },
  });
  expect(body[1]).toMatchObject({ id: build, build_task: null });
  expect(body[0]?.build_task).not.toHaveProperty('build_task');
});
