import { createHmac, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A call as a forge sends it, signed with the secret that was agreed with it. */
export type ForgeCall = { readonly headers: Record<string, string>; readonly body: Buffer };

/** The bytes of a body as they lie in the folder beside this file. */
export function readForgeBody(name: string): Buffer {
  return readFileSync(new URL(`./webhook-calls/${name}.json`, import.meta.url));
}

export function signBody(secret: string, body: Buffer | string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

type Given = { secret: string; number?: string; body?: Buffer };

export function githubCall(event: 'push' | 'ping' | 'pull_request', given: Given): ForgeCall {
  const body = given.body ?? readForgeBody(`github-${event.replace('_', '-')}`);
  return {
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/044aadd',
      'x-github-delivery': given.number ?? randomUUID(),
      'x-github-event': event,
      'x-github-hook-id': '292430182',
      'x-github-hook-installation-target-id': '4856239453',
      'x-github-hook-installation-target-type': 'repository',
      'x-hub-signature': `sha1=${createHmac('sha1', given.secret).update(body).digest('hex')}`,
      'x-hub-signature-256': `sha256=${signBody(given.secret, body)}`,
    },
    body,
  };
}

/** The same event where the hook is set to send forms. */
export function githubFormCall(event: 'push', given: Given): ForgeCall {
  const { headers, body } = githubCall(event, given);
  const form = Buffer.from(new URLSearchParams({ payload: body.toString() }).toString());
  const signed = `sha256=${signBody(given.secret, form)}`;
  return {
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'x-hub-signature-256': signed },
    body: form,
  };
}

export function gitlabCall({ secret, number }: Given): ForgeCall {
  return {
    headers: {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitLab/18.0.1',
      'idempotency-key': number ?? randomUUID(),
      'x-gitlab-event': 'Push Hook',
      'x-gitlab-event-uuid': randomUUID(),
      'x-gitlab-instance': 'https://gitlab.example.org',
      'x-gitlab-token': secret,
      'x-gitlab-webhook-uuid': '5d0c1c5a-9d1f-4f0b-8b1e-6c1d2b7f9a10',
    },
    body: readForgeBody('gitlab-push'),
  };
}

export function giteaCall({ secret, number, body = readForgeBody('gitea-push') }: Given): ForgeCall {
  const delivery = number ?? randomUUID();
  const signature = signBody(secret, body);
  return {
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Go-http-client/1.1',
      'x-gitea-delivery': delivery,
      'x-gitea-event': 'push',
      'x-gitea-event-type': 'push',
      'x-gitea-signature': signature,
      'x-github-delivery': delivery,
      'x-github-event': 'push',
      'x-gogs-delivery': delivery,
      'x-gogs-event': 'push',
      'x-gogs-signature': signature,
      'x-hub-signature-256': `sha256=${signature}`,
    },
    body,
  };
}
