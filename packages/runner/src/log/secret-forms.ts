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

function listTextForms(secret: string): string[] {
  const url = encodeURIComponent(secret.toWellFormed());
  const json = JSON.stringify(secret).slice(1, -1);
  return [secret, json, json.replaceAll('/', '\\/'), url, url.replaceAll('%20', '+')];
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
 * JSON, in a URL, in base64 at each of its three phases, and each line of a secret of several lines.
 */
export function listSecretForms(secrets: Iterable<string>): string[] {
  const forms = new Set<string>();
  for (const secret of secrets) {
    for (const part of listParts(secret)) {
      const bytes = Buffer.from(part, 'utf8');
      if (bytes.length < shortestSecret) continue;
      for (const form of listTextForms(part)) forms.add(Buffer.from(form, 'utf8').toString('latin1'));
      for (const form of listBase64Forms(bytes)) forms.add(form);
    }
  }
  return [...forms].filter((form) => form.length >= shortestSecret).sort((a, b) => b.length - a.length);
}
