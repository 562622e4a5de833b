import * as z from 'zod/mini';
import { defineRoute } from './http/route.ts';
import {
  LogAnswer,
  logRequestLimit,
  ReportAnswer,
  ReportsRequest,
  SyncAnswer,
  SyncRequest,
} from './runner-protocol.ts';

/** The calls of a runner. Their meaning and order stand in `runner-protocol.ts`. */
export const runnerProtocolRoutes = {
  sync: defineRoute({
    method: 'POST',
    path: '/internal/runners/sync',
    permission: 'runner',
    summary: 'Heartbeat, claim and commands of a runner in one long poll.',
    body: SyncRequest,
    response: SyncAnswer,
    status: 200,
  }),
  reports: defineRoute({
    method: 'POST',
    path: '/internal/runners/reports',
    permission: 'runner',
    summary: 'Start permissions and ends of tasks.',
    body: ReportsRequest,
    response: z.object({ answers: z.array(ReportAnswer) }),
    status: 200,
  }),
  log: defineRoute({
    method: 'POST',
    path: '/internal/runners/log',
    permission: 'runner',
    summary: 'Log frames of one or more tasks.',
    binaryBody: true,
    bodyLimit: logRequestLimit * 2,
    response: LogAnswer,
    status: 200,
  }),
};
