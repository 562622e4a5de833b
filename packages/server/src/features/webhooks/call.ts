import { isTooDeep } from '../../json-depth.ts';

/** A call as it arrived. Names of headers are in small letters. */
export type Call = {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** What matchers and values look at. */
export type Content = {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined where the body is no JSON. */
  readonly document: unknown;
};

/** Reads the body once, whatever it calls itself: senders are often wrong about the type. */
export function readContent({ headers, body }: Call): Content {
  // Broken UTF-8 becomes U+FFFD, as it is shown later.
  const text = body.toString('utf8');
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') === true;
  return { headers, text, document: isForm ? readForm(text) : readJson(text) };
}

/** GitHub puts the JSON into the field `payload`; without one the fields are the document. */
function readForm(text: string): unknown {
  const fields = new URLSearchParams(text);
  const payload = fields.get('payload');
  const document = payload === null ? undefined : readJson(payload);
  return document ?? Object.fromEntries(fields);
}

function readJson(text: string): unknown {
  const json = text.replace(/^\uFEFF/, '');
  if (isTooDeep(Buffer.from(json))) return undefined;
  try {
    return JSON.parse(json);
  } catch {
    return undefined; // any text may come, and matchers on the text still work
  }
}
