import { authRoutes } from '@signalbox/contract/auth';
import { totpRoutes } from '@signalbox/contract/totp';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { drawTotp, enrolTotp, redeemRecoveryCode, removeTotp, type TotpRules, verifyCode } from './totp.ts';

export function totpApi(http: HttpApi, database: Database, rules: TotpRules): void {
  register(http, totpRoutes.enrol, async ({ params, actor }) => {
    const totp = await enrolTotp(database, rules, actor, params.user_id);
    http.onAccessChange(params.user_id);
    return totp;
  });
  register(http, totpRoutes.picture, ({ params, actor, request }) => {
    const host = http.webHost?.host ?? request.host;
    return drawTotp(database, actor, { userId: params.user_id, id: params.totp_id, host });
  });
  register(http, totpRoutes.remove, async ({ params, actor }) => {
    await removeTotp(database, actor, params.user_id, params.totp_id);
    http.onAccessChange(params.user_id);
  });
  register(http, authRoutes.verify, ({ actor, body }) => verifyCode(database, actor, body.passcode));
  register(http, authRoutes.recover, async ({ actor, body }) => {
    await redeemRecoveryCode(database, rules, actor, body.recovery_code);
    http.onAccessChange(actor.userId);
  });
}
