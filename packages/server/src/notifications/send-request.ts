import type { NotificationChannel } from '@signalbox/contract/notifications';
import type { OutgoingRequest } from './chat-requests.ts';

/** What became of one attempt. */
export type Outcome =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** What went wrong, without an address: many have a secret in them. */
      readonly error: string;
      /** The same message will never be taken. */
      readonly isFinal?: boolean;
      /** How long the receiver wants to be left alone, in milliseconds. */
      readonly waitMs?: number;
    };

/** More of an answer is not read. */
const mostBytes = 16 * 1024;
/** More of it is not stored. */
const mostShown = 200;

/**
 * Sends one request and judges the answer. Redirects are not followed: they would lead the message, and its signature, where
 * nobody has sent it.
 */
export async function sendRequest(
  channel: NotificationChannel,
  { url, headers, body }: OutgoingRequest,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Signalbox', ...headers },
      body,
      redirect: 'manual',
      signal,
    });
    return judge(channel, answer, await readStart(answer));
  } catch (error) {
    return { ok: false, error: describeFailure(error) };
  }
}

async function readStart({ body }: Response): Promise<string> {
  if (body === null) return '';
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    parts.push(part);
    size += part.length;
    if (size >= mostBytes) break;
  }
  return Buffer.concat(parts).subarray(0, mostBytes).toString();
}

/** Those are about this very message, and not about how things are now. */
const refusals = [400, 413, 415, 422];

function judge(channel: NotificationChannel, { status, headers }: Response, text: string): Outcome {
  if (status >= 300 && status < 400) return { ok: false, error: `The receiver wants to redirect (${status})` };
  const isAccepted = status >= 200 && status < 300;
  if (isAccepted && !isRefusal(channel, text)) return { ok: true };
  const shown = text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, mostShown)
    .toWellFormed();
  const waitMs = readWait(headers.get('retry-after'), text);
  return {
    ok: false,
    error: `The receiver answered ${status}${shown === '' ? '' : `: ${shown}`}`,
    isFinal: refusals.includes(status),
    ...(waitMs === undefined ? {} : { waitMs }),
  };
}

/** Some receivers answer 200 and say in the body that they did not take it. */
function isRefusal(channel: NotificationChannel, text: string): boolean {
  if (channel === 'microsoft_teams') return text.startsWith('Webhook message delivery failed');
  const answer = readJson(text);
  if (channel === 'dingtalk') return 'errcode' in answer && answer.errcode !== 0;
  if (channel === 'telegram') return 'ok' in answer && answer.ok !== true;
  if (channel === 'rocketchat') return 'success' in answer && answer.success !== true;
  return false;
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {}; // most receivers answer with a word or with nothing
  }
}

/** In seconds: in the header, or as Telegram says it. */
function readWait(header: string | null, text: string): number | undefined {
  const { parameters } = readJson(text);
  const inBody = typeof parameters === 'object' && parameters !== null && 'retry_after' in parameters;
  const seconds = Number(header ?? (inBody ? parameters.retry_after : Number.NaN));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : undefined;
}

/** The code of the system says more than the library, and neither has an address in it. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'The receiver could not be reached';
  if (error.name === 'TimeoutError') return 'The receiver did not answer in time';
  if (error.name === 'AbortError') return 'The server ended during the attempt';
  const inner = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in inner && typeof inner.code === 'string' ? ` (${inner.code})` : '';
  return `The receiver could not be reached${code}`;
}
