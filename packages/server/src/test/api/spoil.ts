/** Requests that nobody should send. */

export type Spoiled = { what: string; body: unknown };

const values: [string, unknown][] = [
  ['null', null],
  ['a flag', true],
  ['a fraction', 1.5],
  ['a negative number', -1],
  ['a huge number', 1e300],
  ['an empty text', ''],
  ['a NUL', 'a\0b'],
  ['a lone surrogate', 'a\ud800b'],
  ['a long text', 'x'.repeat(20_000)],
  ['a list of nothing', [null]],
  ['an object', { toString: 1 }],
];

/** The body with each of its members, at every depth, missing and of every wrong kind. */
export function spoilBody(body: unknown): Spoiled[] {
  const whole = [...values.map(([what, value]) => ({ what: `${what} as the body`, body: value })), ...oddBodies(body)];
  return [...whole, ...spoilMembers(body, '')];
}

function spoilMembers(body: unknown, path: string): Spoiled[] {
  if (!isContainer(body)) return [];
  return Object.entries(body).flatMap(([name, value]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const put = (change: unknown) => replace(body, name, change);
    return [
      { what: `no ${at}`, body: put(undefined) },
      ...values.map(([what, wrong]) => ({ what: `${what} as ${at}`, body: put(wrong) })),
      ...spoilMembers(value, at).map(({ what, body: inner }) => ({ what, body: put(inner) })),
    ];
  });
}

function replace(body: object, name: string, value: unknown): unknown {
  if (Array.isArray(body)) return body.with(Number(name), value);
  const { [name]: _, ...rest } = body as Record<string, unknown>;
  return value === undefined ? rest : { ...rest, [name]: value };
}

const isContainer = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Buffer.isBuffer(value);

/** Texts that are sent as they are. */
function oddBodies(body: unknown): Spoiled[] {
  const text = isContainer(body) && !Array.isArray(body) ? JSON.stringify(body).slice(1) : '}';
  const separator = text === '}' ? '' : ',';
  return [
    { what: 'members that nobody knows', body: `{"shoe_size":44,"a":{"b":[1]}${separator}${text}` },
    { what: '__proto__', body: `{"__proto__":{"admin":true},"constructor":{"prototype":{"x":1}}${separator}${text}` },
    { what: 'a member twice', body: `{"name":1,"id":"x","project_id":0${separator}${text}` },
    { what: 'a number that is none', body: `{"id":1e999,"project_id":-0${separator}${text}` },
    { what: 'depth', body: `{"deep":${'['.repeat(5000)}${']'.repeat(5000)}${separator}${text}` },
    { what: 'half of it', body: `{${text}`.slice(0, -1) },
    { what: 'text behind it', body: `{${text}{}` },
    {
      what: 'broken UTF-8',
      body: Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')]),
    },
    { what: 'nothing', body: '' },
  ];
}

/** In the place of an id. */
export const badIds = [
  '0',
  '-1',
  '1.5',
  '1e3',
  '0x1',
  '%00',
  '..',
  '%2e%2e',
  'a%2fb',
  '%ff',
  '99999999999999999999',
  '999999999',
];

/** What may be hung on an address. */
export const oddQueries = [
  'sort=%00&order=x',
  'limit=-1&count=1e9&from=-5',
  'limit[]=1&limit=2',
  'q=%ff',
  '%',
  '__proto__=1',
  'before=x&start=x&tz=x',
];
