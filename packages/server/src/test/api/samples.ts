import type { Place, Sender } from './place.ts';
import type { Sample } from './sample.ts';
import { administrationSamples } from './samples-administration.ts';
import { automationSamples } from './samples-automation.ts';
import { integrationSamples } from './samples-integrations.ts';
import { peopleSamples } from './samples-people.ts';
import { resourceSamples } from './samples-resources.ts';
import { stateSamples } from './samples-states.ts';
import { taskSamples } from './samples-tasks.ts';
import { keyOf, type NamedRoute } from './tables.ts';

const samples = new Map(
  Object.entries({
    ...administrationSamples,
    ...peopleSamples,
    ...resourceSamples,
    ...taskSamples,
    ...automationSamples,
    ...integrationSamples,
    ...stateSamples,
  }).map(([title, make]) => [keyOf(title), make]),
);

/** Titles of the requests that a route is asked with: its own, and those of special cases such as `(own)`. */
export function titlesOf({ route }: NamedRoute): string[] {
  const call = keyOf(`${route.method} ${route.path}`);
  const titles = [...samples.keys()].filter((title) => title === call || title.startsWith(`${call} (`));
  return titles.length === 0 ? [call] : titles;
}

/** What may do away with one of the people of a place, or with all of it, is asked for in a place of its own. */
export function needsOwnPlace(title: string): boolean {
  return /\(own\)|\/me$|^DELETE \/project\/:(project_id)?$|\/auth\/|\/unregister$/.test(title);
}

/** Reads need no more than an address: where no sample says more, the path has no parameter but the project's. */
export async function makeSample(title: string, place: Place, sender: Sender): Promise<Sample> {
  return (await samples.get(keyOf(title))?.(place, sender)) ?? {};
}

/** The path of a sample, under /api. */
export function fillPath(path: string, place: Place, { ids = [] }: Sample): string {
  const values = path.startsWith('/project/:') ? [place.project.id, ...ids] : [...ids];
  return path.replaceAll(/:\w+/g, (name) => {
    const value = values.shift();
    if (value === undefined) throw new Error(`The sample of ${path} has no value for ${name}`);
    return encodeURIComponent(String(value));
  });
}
