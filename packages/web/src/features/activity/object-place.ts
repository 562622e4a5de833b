import type { Event } from '@signalbox/contract/events';

/** The text of an event around the name of its object; of a task, which has none in it, around its number. */
export function splitDescription({ description, object_name: name, object_type: type, object_id: id }: Event) {
  const wanted = type === 'task' ? `Task ID ${id}` : name;
  const at = wanted === '' ? -1 : description.indexOf(wanted);
  if (at === -1) return [description, '', ''] as const;
  return [description.slice(0, at), wanted, description.slice(at + wanted.length)] as const;
}

const goneWords = / (deleted|removed from team|left the team)$/;

/** Objects that an event of the list says are gone. Ids are not given twice, so that what is gone stays so. */
export function listGone(events: readonly Event[]): ReadonlySet<string> {
  const gone = events.filter(({ description }) => goneWords.test(description));
  return new Set(gone.map(nameObject));
}

export function nameObject({ object_type: type, object_id: id }: Event): string {
  return `${type} ${id}`;
}
