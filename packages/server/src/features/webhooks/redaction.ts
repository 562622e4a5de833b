const mask = '***';
/** Shorter ones would mask half of every text. */
const shortest = 4;
const secretName = /cookie|authorization|x-auth|token|secret|signature|password|credential|session|api-?key/i;

/** The headers as they are stored: those that prove something are masked, and so is every secret in the others. */
export function maskHeaders(
  headers: Readonly<Record<string, string>>,
  authHeader: string,
  secrets: readonly string[],
): Record<string, string> {
  const own = authHeader.toLowerCase();
  const masked = Object.entries(headers).map(([name, value]) => {
    const isSecret = name === own || secretName.test(name);
    return [name, isSecret ? mask : maskText(value, secrets)];
  });
  return Object.fromEntries(masked);
}

/** Whether what a matcher or a value takes from this header must not be shown. */
export function isSecretHeader(name: string, authHeader: string): boolean {
  return name.toLowerCase() === authHeader.toLowerCase() || secretName.test(name);
}

export function maskText(text: string, secrets: readonly string[]): string {
  if (secrets.includes(text)) return text === '' ? '' : mask;
  let masked = text;
  for (const form of listForms(secrets)) masked = masked.replaceAll(form, mask);
  return masked;
}

/** The same for bytes, which may be no text at all. */
export function maskBytes(bytes: Buffer, secrets: readonly string[]): Buffer {
  let masked = bytes;
  for (const form of listForms(secrets)) masked = replaceBytes(masked, Buffer.from(form));
  return masked;
}

function replaceBytes(bytes: Buffer, form: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from(mask));
    from = at + form.length;
  }
  return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}

/** How a secret may be written: as it is, in JSON, in a form, in base64. Longer forms first. */
function listForms(secrets: readonly string[]): string[] {
  const forms = secrets.filter((secret) => secret.length >= shortest).flatMap(writeForms);
  return [...new Set(forms)].toSorted((one, other) => other.length - one.length);
}

function writeForms(secret: string): string[] {
  const encoded = new URLSearchParams({ x: secret }).toString().slice(2);
  const forms = [secret, JSON.stringify(secret).slice(1, -1), encoded, Buffer.from(secret).toString('base64')];
  return secret.isWellFormed() ? [...forms, encodeURIComponent(secret)] : forms;
}
