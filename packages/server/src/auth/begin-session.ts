import type { Db } from '../db/database.ts';
import { recordEvent } from '../db/events.ts';
import { lockUser } from './people-lock.ts';
import { openSession } from './sessions.ts';

/** Where a sign-in comes from. */
export type Caller = { readonly address: string; readonly userAgent: string };

/**
 * The last step of every way to sign in. Returns the value of the session's cookie. Whoever has a second step gets a
 * session that is good for that step only.
 */
export async function beginSession(db: Db, userId: number, caller: Caller, description: string): Promise<string> {
  await lockUser(db, userId);
  const secondStep = await db.selectFrom('totp').select('id').where('user_id', '=', userId).executeTakeFirst();
  const verified = secondStep === undefined;
  await recordEvent(
    db,
    { userId, address: caller.address },
    {
      projectId: null,
      objectType: 'user',
      objectId: userId,
      objectName: '',
      description: verified ? description : `${description}; the second step is to come`,
    },
  );
  return openSession(db, { userId, ...caller, verified }, Date.now());
}
