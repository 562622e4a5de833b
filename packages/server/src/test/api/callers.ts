import { randomBytes } from 'node:crypto';
import { openSession } from '../../auth/sessions.ts';
import { hashToken } from '../../auth/tokens.ts';
import { aProject, aUser, type TestUser } from '../factories.ts';
import { aRunner } from '../start-engine-server.ts';
import type { TestServer } from '../start-test-server.ts';
import type { Place, Sender } from './place.ts';
import type { Identity } from './tables.ts';

export type Caller = { readonly sender: Sender; readonly headers: Record<string, string> };

/** A project of its own with everybody who may come to it. A caller that the request does away with is missed by nobody. */
export async function createPlace(server: TestServer): Promise<Place> {
  return { server, project: await aProject(server), admin: await aUser(server, { admin: true }) };
}

export async function createCallers(place: Place): Promise<Record<Identity, Caller>> {
  const { server, project, admin } = place;
  const tokenHolder = await aUser(server, { role: 'manager', projectId: project.id });
  const halfWay = await aUser(server, { admin: true });
  const runner = await aRunner(server);
  const unverified = await openUnverifiedSession(server, halfWay);
  return {
    nobody: { sender: withId(halfWay), headers: {} },
    unverified: { sender: withId(halfWay), headers: cookie(unverified) },
    guest: withSession(project.guest),
    task_runner: withSession(project.runner),
    manager: withSession(project.manager),
    owner: withSession(project.owner),
    stranger: withSession(project.stranger),
    admin: withSession(admin),
    token: {
      sender: withId(tokenHolder),
      headers: { authorization: `Bearer ${await createApiToken(server, tokenHolder.id)}` },
    },
    runner: { sender: withId(halfWay), headers: { 'x-runner-token': runner.token } },
  };
}

const cookie = (session: string) => ({ cookie: `signalbox=${session}` });
const withId = (user: TestUser): Sender => ({ userId: user.id, session: user.session });
const withSession = (user: TestUser): Caller => ({ sender: withId(user), headers: cookie(user.session) });

function openUnverifiedSession({ database }: TestServer, user: TestUser): Promise<string> {
  const session = { userId: user.id, address: '', userAgent: '', verified: false };
  return database.transact((db) => openSession(db, session, Date.now()));
}

async function createApiToken({ database }: TestServer, userId: number): Promise<string> {
  const token = randomBytes(32).toString('hex');
  const row = { id: randomBytes(8).toString('hex'), user_id: userId, name: '', token_hash: hashToken(token) };
  const use = { created: Date.now(), expires: null, last_used: null, revoked: false };
  await database.transact((db) =>
    db
      .insertInto('api_token')
      .values({ ...row, ...use })
      .execute(),
  );
  return token;
}
