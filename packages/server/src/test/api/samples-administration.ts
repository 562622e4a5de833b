import { encodeFrame } from '@signalbox/contract/log-frame';
import { RunnerPeer } from '../runner-peer.ts';
import { create, nextName, type Place, read } from './place.ts';
import type { Samples } from './sample.ts';

const runnerBody = () => ({ name: nextName('runner'), webhook: '', max_parallel_tasks: 2, active: true, tag: 'fast' });
const makeRunner = (place: Place): Promise<number> => create(place, '/runners', runnerBody());
const makeProjectRunner = (place: Place): Promise<number> =>
  create(place, `/project/${place.project.id}/runners`, runnerBody());

const withRunner = async (place: Place) => ({ ids: [await makeRunner(place)] });
const withProjectRunner = async (place: Place) => ({ ids: [await makeProjectRunner(place)] });
const changeRunner = async (place: Place) => {
  const id = await makeRunner(place);
  return { ids: [id], body: { id, ...runnerBody() } };
};

const appBody = () => ({
  title: nextName('App'),
  icon: 'mdi-cog',
  color: 'teal',
  dark_color: 'teal',
  priority: 10,
  path: '/usr/bin/env',
  args: ['sh'],
  active: true,
});

async function withApp(place: Place) {
  const id = nextName('app');
  const answer = await place.server.call('PUT', `/apps/${id}`, { session: place.admin.session, body: appBody() });
  if (answer.status !== 204) throw new Error(`PUT /apps/${id} answered ${answer.status}: ${answer.text}`);
  return { ids: [id] };
}

const strayNumbers = { task_id: 999_999, fence: 1 };
const strayClaim = { ...strayNumbers, claim_id: 'c'.repeat(32) };

/** A runner that still holds a task which nobody knows: it is told to forget it, and gets nothing to do. */
function aPeer(): RunnerPeer {
  const peer = new RunnerPeer('', '');
  peer.holds.set(999_999, { ...strayClaim, phase: 'running', next_line: 1 });
  return peer;
}
/** Short, so that its bytes are text, which is all that some proxies can carry. */
const lostLine = { ...strayNumbers, claim_id: 'c', first: 1, count: 1, bytes: 0, crc: 0, time: 0, size: 0, gap: 'x' };

export const administrationSamples: Samples = {
  'GET /apps/:app_id': withApp,
  'PUT /apps/:app_id': () => ({ ids: [nextName('app')], body: appBody() }),
  'POST /apps/:app_id': () => ({ ids: [nextName('app')], body: appBody() }),
  'DELETE /apps/:app_id': withApp,
  'POST /apps/:app_id/active': async (place) => ({ ...(await withApp(place)), body: { active: false } }),
  'POST /options': () => ({ body: { key: nextName('option'), value: 'on' } }),

  'POST /runners': () => ({ body: runnerBody() }),
  'GET /runners/:runner_id': withRunner,
  'POST /runners/:runner_id': changeRunner,
  'PUT /runners/:runner_id': changeRunner,
  'DELETE /runners/:runner_id': withRunner,
  'POST /runners/:runner_id/active': async (place) => ({ ...(await withRunner(place)), body: { active: false } }),

  'POST /project/:project_id/runners': (place) => ({ body: { ...runnerBody(), project_id: place.project.id } }),
  'GET /project/:project_id/runners/:runner_id': withProjectRunner,
  'PUT /project/:project_id/runners/:runner_id': async (place) => {
    const id = await makeProjectRunner(place);
    return { ids: [id], body: { ...runnerBody(), id, project_id: place.project.id } };
  },
  'DELETE /project/:project_id/runners/:runner_id': withProjectRunner,
  'POST /project/:project_id/runners/:runner_id/active': async (place) => ({
    ...(await withProjectRunner(place)),
    body: { active: false },
  }),

  'POST /runner_registrations': () => ({ body: { tag: 'fast' } }),
  'POST /project/:project_id/runner_registrations': () => ({ body: { tag: 'fast', max_parallel_tasks: 2 } }),
  'POST /internal/runners/register': async (place) => {
    const registration_token = await read(place, '/runner_registrations', {}, 'token');
    return {
      body: { registration_token, name: nextName('runner'), public_key: Buffer.alloc(32, 7).toString('base64') },
    };
  },
  'POST /internal/runners/unregister': () => ({ spendsPlace: true }),
  'POST /internal/runners/sync': () => ({ body: aPeer().request({ free: 0, draining: true }) }),
  'POST /internal/runners/reports': () => {
    const { instance } = aPeer();
    return { body: { instance, reports: [{ kind: 'start', ...strayClaim, commit_hash: null, commit_message: '' }] } };
  },
  'POST /internal/runners/log': () => ({
    body: Buffer.from(encodeFrame(lostLine, new Uint8Array())),
    headers: { 'content-type': 'application/octet-stream' },
  }),
};
