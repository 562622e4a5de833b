import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { taskRoutes } from '@signalbox/contract/tasks';
import { addTemplate } from '../fixtures/projects.ts';
import { launch, waitForEnd, waitForLine } from '../fixtures/tasks.ts';
import { endLimitMs, type PlayRound } from './campaign.ts';

/** One task of very many lines, and the server is killed in the middle: what is stored has the checksum of what was written. */
export function writeLongLog(lines: number): PlayRound {
  return async ({ server, ledger, field }, random) => {
    const api = await server.signIn();
    const template = await addTemplate(api, field.workshop, {
      name: `Long ${Date.now()}`,
      app: 'python',
      playbook: 'long.py',
      arguments: JSON.stringify([ledger.file, String(lines)]),
    });
    const place = await launch(api, template);
    await waitForLine(api, place, 'number 1 ', endLimitMs);
    await pause(300 + random() * 1500);
    await server.kill();
    await server.start();
    const again = await server.signIn();
    const task = await waitForEnd(again, place, endLimitMs);
    const text = (await again.download(taskRoutes.rawOutput, { params: place })).toString('latin1');
    const numbered = text.split('\n').filter((line) => line.startsWith('number '));
    const digest = createHash('sha256')
      .update(numbered.map((line) => `${line}\n`).join(''))
      .digest('hex');
    const problems: string[] = [];
    if (task.status !== 'success') problems.push(`task ${place.task_id} ended as ${task.status}: ${task.reason}`);
    if (numbered.length !== lines) problems.push(`task ${place.task_id}: ${numbered.length} of ${lines} lines`);
    if (digest !== (await readFile(`${ledger.file}.digest`, 'utf8'))) {
      problems.push(`task ${place.task_id}: the checksum of its log is not that of what it wrote`);
    }
    return { faults: 1, tasks: 1, problems };
  };
}
