import * as z from 'zod/mini';
import { defineRoute } from './http/route.ts';

const AliasParams = z.object({ alias: z.string() });

/** Calls from outside. They are answered before anybody knows who sent them, so the answer says nothing of what was done. */
export const webhookRoutes = {
  receive: defineRoute({
    method: 'POST',
    path: '/integrations/:alias',
    permission: 'public',
    anyOrigin: true,
    anyBody: true,
    summary: 'A call with any body. 204 whether or not it started a task; 404 where the alias is unknown.',
    params: AliasParams,
    status: 204,
  }),
  receiveGet: defineRoute({
    method: 'GET',
    path: '/integrations/:alias',
    permission: 'public',
    summary: 'The same without a body.',
    params: AliasParams,
    status: 204,
  }),
};
