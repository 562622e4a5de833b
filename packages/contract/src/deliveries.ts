import * as z from 'zod/mini';
import { Id, PageQuery, PathId, Timestamp } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { MatchMethod, Source } from './integration-matchers.ts';
import { AuthMethod, IntegrationParams } from './integrations.ts';

/**
 * What became of a call:
 * - `started`: a task
 * - `refused`: the sender was not proved
 * - `not_matched`: a matcher did not hold
 * - `not_started`: the template does not take what came, or a required answer is missing
 * - `duplicate`: the sender's own number of it has started a task already
 */
export const DeliveryOutcome = z.enum(['started', 'refused', 'not_matched', 'not_started', 'duplicate']);
export type DeliveryOutcome = z.infer<typeof DeliveryOutcome>;

/** By which kind of alias the call came. */
export const DeliveryRoute = z.enum(['integration', 'project', 'global']);
export type DeliveryRoute = z.infer<typeof DeliveryRoute>;

/** Why a call did or did not start a task, step by step. Holds no secret. */
export const Verdict = z.object({
  outcome: DeliveryOutcome,
  /** One sentence. */
  text: z.string(),
  reached_by: DeliveryRoute,
  authentication: z.object({ method: AuthMethod, accepted: z.boolean(), text: z.string() }),
  matchers: z.array(
    z.object({
      name: z.string(),
      match_type: Source,
      method: MatchMethod,
      key: z.string(),
      /** What was asked for, and what the call had; long ones are cut. */
      expected: z.string(),
      actual: z.string(),
      matched: z.boolean(),
    }),
  ),
  /** Null: the call had no such value, or it answers a secret question. */
  values: z.array(z.object({ name: z.string(), variable: z.string(), value: z.nullable(z.string()) })),
  body: z.object({
    /** Bytes that came. */
    size: z.int(),
    /** How much of it is stored: all, nothing of what was refused or holds a secret answer, or the first part. */
    kept: z.enum(['all', 'part', 'nothing']),
  }),
  replay: z.nullable(z.object({ delivery_id: Id, user_id: Id, username: z.string() })),
});
export type Verdict = z.infer<typeof Verdict>;

/** One call, as one integration saw it. */
export const Delivery = z.object({
  id: Id,
  project_id: Id,
  integration_id: Id,
  created: Timestamp,
  method: z.enum(['GET', 'POST']),
  verdict: Verdict,
  task_id: z.nullable(Id),
});
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryDetail = z.object({
  ...Delivery.shape,
  /** Those that carry a secret are masked. */
  headers: z.record(z.string(), z.string()),
  body: z.string(),
});
export type DeliveryDetail = z.infer<typeof DeliveryDetail>;

/** Most deliveries in one answer. */
export const maxDeliveries = 100;

const DeliveryParams = z.object({ ...IntegrationParams.shape, delivery_id: PathId });

export const deliveryRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/deliveries',
    permission: 'update',
    summary: 'Calls that arrived, newest first, 100 at a time.',
    params: IntegrationParams,
    query: PageQuery,
    response: z.array(Delivery),
    status: 200,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/deliveries/:delivery_id',
    permission: 'update',
    summary: 'One call with its headers and its body.',
    params: DeliveryParams,
    response: DeliveryDetail,
    status: 200,
  }),
  replay: defineRoute({
    method: 'POST',
    path: '/project/:project_id/integrations/:integration_id/deliveries/:delivery_id/replay',
    permission: 'update',
    summary: 'Goes through a stored call once more, and starts a task if it matches.',
    params: DeliveryParams,
    response: Delivery,
    status: 201,
  }),
};
