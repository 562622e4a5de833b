import { makeStateAccess } from '../../engine/state-access.ts';
import { insertTask } from '../rows.ts';
import { makePasswordKey, makeTemplate, makeWorkspace, type Place, read } from './place.ts';
import type { Sample, Samples } from './sample.ts';

const basic = (login: string, password: string) => ({
  authorization: `Basic ${Buffer.from(`${login}:${password}`).toString('base64')}`,
});

/** An address of a state, and the login of its key. */
async function anAddress(place: Place): Promise<Sample> {
  const { inventoryId } = await makeWorkspace(place);
  const path = `/project/${place.project.id}/inventory/${inventoryId}/terraform/aliases`;
  const url = await read(place, path, { auth_key_id: await makePasswordKey(place) }, 'url');
  return { ids: [String(url).split('/').at(-1) ?? ''], headers: basic('root', 'swordfish') };
}

/** A task whose tool is at work, and its own password. */
async function aTaskAtWork(place: Place): Promise<Sample> {
  const { database } = place.server;
  const template_id = await makeTemplate(place, { app: 'terraform', playbook: '' });
  const claim = { claim_id: 'c'.repeat(32), status: 'running', start: Date.now(), created: Date.now() } as const;
  const row = { project_id: place.project.id, template_id, ...claim };
  const id = await database.transact((db) => insertTask(db, row));
  const access = makeStateAccess(database.keyring, { id, claim_id: claim.claim_id }, 'terraform');
  if (access === null) throw new Error('A task of Terraform has no way to its state');
  return { ids: [id], headers: basic(access.username, access.password) };
}

const state = { version: 4, serial: 1, outputs: {}, resources: [] };
const lock = { ID: 'a-lock', Operation: 'OperationTypeApply', Who: 'ada@example.org' };

async function prepare(place: Place, target: string, sample: Sample, body: object): Promise<Sample> {
  const path = `/terraform/${target}${sample.ids?.[0]}${body === lock ? '/lock' : ''}`;
  const answer = await place.server.call('POST', path, { headers: sample.headers ?? {}, body });
  if (answer.status !== 200) throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
  return sample;
}

/** The same five calls under both kinds of addresses. */
function samplesOf(path: string, target: string, make: (place: Place) => Promise<Sample>): Samples {
  return {
    [`GET ${path}`]: async (place) => prepare(place, target, await make(place), state),
    [`POST ${path}`]: async (place) => ({ ...(await make(place)), body: state }),
    [`DELETE ${path}`]: make,
    [`POST ${path}/lock`]: async (place) => ({ ...(await make(place)), body: lock }),
    [`DELETE ${path}/lock`]: async (place) => ({
      ...(await prepare(place, target, await make(place), lock)),
      body: lock,
    }),
  };
}

export const stateSamples: Samples = {
  ...samplesOf('/terraform/tasks/:task_id', 'tasks/', aTaskAtWork),
  ...samplesOf('/terraform/:alias', '', anAddress),
};
