import { Socket } from 'node:net';
import type { MailSettings } from '../config-notifications.ts';
import type { Message } from './message.ts';
import { describeFailure, type Outcome } from './send-request.ts';
import type { MessageIdentity } from './webhook-request.ts';

/** More of an answer is not stored. */
const mostShown = 200;

export type Mail = { readonly to: string; readonly message: Message; readonly identity: MessageIdentity };

/** Sends one mail to one person, over a connection of its own that ends with the signal. */
export async function sendMail(settings: MailSettings, mail: Mail, signal: AbortSignal): Promise<Outcome> {
  // Five megabytes that an installation without mail does without.
  const { createTransport } = await import('nodemailer');
  // Given to the library, so that nothing of an attempt outlives it: its own timers begin anew with every byte.
  const socket = new Socket();
  const transport = createTransport({ ...toOptions(settings), socket });
  const ended = Promise.withResolvers<never>();
  const end = () => {
    socket.destroy();
    ended.reject(signal.reason);
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const sent = transport.sendMail(compose(settings, mail));
    await Promise.race([sent, ended.promise]);
    return { ok: true };
  } catch (error) {
    return judge(error);
  } finally {
    signal.removeEventListener('abort', end);
    transport.close();
    socket.destroy();
  }
}

function toOptions({ host, port, security, login, ca }: MailSettings) {
  return {
    host,
    port,
    secure: security === 'tls',
    // Nothing is said in clear that was meant to be secret: without TLS there is no sign-in, and no way back from TLS.
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { ...(ca === undefined ? {} : { ca }), rejectUnauthorized: true },
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
  };
}

function compose({ sender }: MailSettings, { to, message, identity }: Mail) {
  const { status, title, fields, text, url } = message;
  const lines = [status, title, '', ...fields.map(({ name, value }) => `${name}: ${value}`), '', text, '', url, ''];
  return {
    from: sender,
    // An object, so that a comma in it is no second receiver.
    to: { name: '', address: to },
    subject: `${status.replace(/^\W+/u, '')}: ${title}`,
    text: lines.join('\n'),
    messageId: `<${identity.id}@signalbox>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** What a mail server refuses in answer to these is this mail, or whom it is for; anything else may be mended. */
const aboutMail = ['RCPT TO', 'DATA'];

function judge(error: unknown): Outcome {
  if (!(error instanceof Error)) return { ok: false, error: describeFailure(error) };
  const { code, responseCode, response, command } = { code: '', responseCode: 0, response: '', command: '', ...error };
  if (code === 'EAUTH') return { ok: false, error: 'The mail server refused the user name or the password' };
  if (code === 'ETLS' || code === 'ESOCKET') {
    return { ok: false, error: `No safe connection to the mail server: ${error.message}`.slice(0, mostShown) };
  }
  if (!(responseCode > 0)) return { ok: false, error: describeFailure(error) };
  return {
    ok: false,
    error: `The mail server answered ${response || responseCode}`.slice(0, mostShown),
    isFinal: responseCode >= 500 && aboutMail.includes(command),
  };
}
