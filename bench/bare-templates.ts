/**
 * The floor of the template list: the statements that the server needs for it and JSON.stringify, on a bare node:http server.
 * It checks no rights and no shapes, and keeps no answer either.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

const [file = '', projectId = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { readOnly: true });

const session = database.prepare(`select session.*, user.* from session inner join user on user.id = session.user_id
  where session.token_hash = ?`);
const project = database.prepare('select id from project where id = ?');
const templates = database.prepare(`select template.* from template
  left join inventory on inventory.id = template.inventory_id
  left join environment on environment.id = template.environment_id
  left join repository on repository.id = template.repository_id
  where template.project_id = ? order by lower(template.name), template.id`);
const vaults = database.prepare('select * from template_vault where project_id = ? order by id');
const marks = Array.from({ length: 101 }, () => '?').join(', ');
const tasks = database.prepare(`select task.*, template.playbook as tpl_playbook, template.name as tpl_alias,
  template.type as tpl_type, template.app as tpl_app, user.name as user_name from task
  inner join template on template.id = task.template_id left join user on user.id = task.user_id
  where task.project_id = ? and task.id in (${marks})`);

function readTemplates(): string {
  session.get('0'.repeat(64));
  project.get(projectId);
  const rows = templates.all(projectId);
  const stored = vaults.all(projectId);
  const ids = Array.from({ length: 101 }, (_, index) => rows[index]?.last_task_id ?? null);
  const last = new Map(tasks.all(projectId, ...ids).map((task) => [task.id, task]));
  return JSON.stringify(
    rows.map((row) => ({
      ...row,
      vaults: stored.filter((vault) => vault.template_id === row.id),
      last_task: last.get(row.last_task_id ?? null) ?? null,
    })),
  );
}

const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json; charset=utf-8');
  response.end(readTemplates());
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
