/** Shorter secrets are not masked: they would hide half of every log. */
export const shortestSecret = 4;

function listBase64Forms(bytes: Buffer): string[] {
  const forms: string[] = [];
  for (const phase of [0, 1, 2]) {
    // The characters that depend on nothing but the secret, whatever stands before and after it in the encoded text.
    const skipped = phase === 0 ? 0 : phase + 1;
    const used = Math.floor(((phase + bytes.length) * 8) / 6) - skipped;
    const encoded = Buffer.concat([Buffer.alloc(phase), bytes]).toString('base64');
    const form = encoded.slice(skipped, skipped + used);
    forms.push(form, form.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** Columns at which `base64`, mail and PEM break their lines. */
const wrapColumns = [76, 64];
/** Shorter ends of a long secret say next to nothing of it, and would hide what has nothing to do with it. */
const shortestLine = 8;

/** Lines of a long secret that is encoded by itself. */
function listWrappedLines(bytes: Buffer): string[] {
  // The last character may depend on what follows the secret, mostly a line feed.
  const text = bytes.toString('base64').slice(0, Math.floor((bytes.length * 8) / 6));
  return wrapColumns.flatMap((columns) => {
    if (text.length <= columns) return [];
    return text.match(new RegExp(`.{1,${columns}}`, 'g'))?.filter((line) => line.length >= shortestLine) ?? [];
  });
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** As encoders of several languages write it: bare, in ASCII alone, and safe to stand in HTML. */
function listJsonForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const ascii = json.replaceAll(/[\u007f-\uffff]/g, escapeUnit);
  const upper = json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${escapeUnit(unit).slice(2).toUpperCase()}`);
  const safe = json.replaceAll(/[<>&\u2028\u2029]/g, escapeUnit);
  return [json, ascii, upper, safe].flatMap((form) => [form, form.replaceAll('/', '\\/')]);
}

function escapeByte(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Encoders differ in which signs they leave alone, in how they write a space, and in the case of their digits. */
function listUrlForms(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed());
  const strict = url.replaceAll(/[!'()*]/g, escapeByte);
  const form = url.replaceAll(/[!'()~]/g, escapeByte);
  const cased = [url, strict, form, strict.replaceAll('%2F', '/')].flatMap((text) => [
    text,
    text.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
  ]);
  return cased.flatMap((text) => [text, text.replaceAll('%20', '+')]);
}

function listTextForms(secret: string): string[] {
  return [secret, ...listJsonForms(secret), ...listUrlForms(secret)];
}

function listParts(secret: string): Set<string> {
  const trimmed = secret.trim();
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim());
  const parts = new Set([secret, trimmed, trimmed.replaceAll('\r\n', '\n')]);
  if (lines.length === 1) return parts;
  // The armour of a key ("-----BEGIN ...") is no secret, and hiding it would puzzle.
  for (const line of lines) if (!line.startsWith('-----')) parts.add(line);
  return parts;
}

/**
 * Every form in which a secret may show up in output, as latin1 text (one character for each byte), longest first: as it is, in
 * JSON, in a URL, in base64 at each of its three phases and in wrapped lines, and each line of a secret of several lines.
 */
export function listSecretForms(secrets: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const part of listParts(secret)) {
      const bytes = Buffer.from(part, 'utf8');
      if (bytes.length < shortestSecret) continue;
      for (const form of listTextForms(part)) forms.add(Buffer.from(form, 'utf8').toString('latin1'));
      for (const form of [...listBase64Forms(bytes), ...listWrappedLines(bytes)]) forms.add(form);
    }
  }
  return [...forms].filter((form) => form.length >= shortestSecret).sort((a, b) => b.length - a.length);
}
