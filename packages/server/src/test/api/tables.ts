import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Route } from '@signalbox/contract/http/route';
import { listRoutes } from '@signalbox/contract/routes';

/** Who calls; what each word means stands at the head of rights.txt. */
export const identities = [
  'nobody',
  'unverified',
  'guest',
  'task_runner',
  'manager',
  'owner',
  'stranger',
  'admin',
  'token',
  'runner',
] as const;
export type Identity = (typeof identities)[number];

export type ListedRoute = { id: string; call: string };
export type RightsRow = {
  /** Method, path and, where the answer depends on whose object it is, `(own)` or `(other)`. */
  title: string;
  call: string;
  statuses: Record<Identity, number>;
};

/** Routes that other programs rely on, with ids that never change. */
export function readRouteList(): ListedRoute[] {
  return readLines('routes.txt').map((line) => {
    const [id = '', ...call] = line.split(' ');
    return { id, call: call.join(' ') };
  });
}

export function readRights(): RightsRow[] {
  const [head = '', ...lines] = readLines('rights.txt');
  if (head.trim().split(/ +/).join() !== identities.join()) throw new Error('rights.txt has other columns');
  return lines.map((line) => {
    const words = line.trim().split(/ +/);
    const title = words.slice(identities.length).join(' ');
    const statuses = Object.fromEntries(identities.map((identity, index) => [identity, Number(words[index])]));
    return { title, call: title.replace(/ \(\w+\)$/, ''), statuses: statuses as RightsRow['statuses'] };
  });
}

function readLines(file: string): string[] {
  const lines = readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '' && !line.startsWith('#'));
}

/** Method and path without the names of its parameters, so that a name is no difference. */
export function keyOf(call: string): string {
  return call.replaceAll(/:\w+/g, ':');
}

export type NamedRoute = { name: string; route: Route };
const table = new Map(listRoutes().map((entry) => [keyOf(`${entry.route.method} ${entry.route.path}`), entry]));

/** The route of the contract for `GET /project/:project_id`. */
export function findRoute(call: string): NamedRoute | undefined {
  return table.get(keyOf(call));
}
