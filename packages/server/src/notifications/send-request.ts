import type { BlockList } from 'node:net';
import type { NotificationChannel } from '@signalbox/contract/notifications';
import { callOut, type OutgoingAnswer } from '../outgoing-call.ts';
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

/** More of it is not stored. */
const mostShown = 200;

/** Sends one request and judges the answer. */
export async function sendRequest(
  channel: NotificationChannel,
  request: OutgoingRequest,
  way: { readonly signal: AbortSignal; readonly denied: BlockList },
): Promise<Outcome> {
  try {
    return judge(channel, await callOut({ ...request, ...way }));
  } catch (error) {
    return { ok: false, error: describeFailure(error) };
  }
}

/** Those are about this very message, and not about how things are now. */
const refusals = [400, 413, 415, 422];

function judge(channel: NotificationChannel, { status, headers, text }: OutgoingAnswer): Outcome {
  if (status >= 300 && status < 400) return { ok: false, error: `The receiver wants to redirect (${status})` };
  const isAccepted = status >= 200 && status < 300;
  if (isAccepted && !isRefusal(channel, text)) return { ok: true };
  const shown = text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, mostShown)
    .toWellFormed();
  const waitMs = readWait(headers['retry-after'], text);
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
function readWait(header: string | undefined, text: string): number | undefined {
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
