import * as z from 'zod/mini';
import { Id, Name, PathId, Text } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { IntegrationParams, isHeaderName } from './integrations.ts';
import { References } from './references.ts';

/** Where a text is taken from: a header, or the body as JSON (by path) or as it is. */
export const Source = z.enum(['body', 'header']);
export type Source = z.infer<typeof Source>;
export const BodyFormat = z.enum(['json', 'string']);
export type BodyFormat = z.infer<typeof BodyFormat>;

export const MatchMethod = z.enum(['equals', 'unequals', 'contains']);
export type MatchMethod = z.infer<typeof MatchMethod>;

/** A condition on a call; all of an integration must hold. */
export const Matcher = z.object({
  id: Id,
  integration_id: Id,
  name: z.string(),
  match_type: Source,
  method: MatchMethod,
  body_data_type: BodyFormat,
  /** Name of the header, or path such as `commits.[0].author.name`. */
  key: z.string(),
  value: z.string(),
});
export type Matcher = z.infer<typeof Matcher>;

/** Forms send nothing, or an empty text, for what does not apply. */
export const BodyFormatInput = z.optional(z.nullable(z.union([BodyFormat, z.literal('')])));
export const Key = Text.check(z.trim(), z.maxLength(1000));

export const MatcherInput = z
  .object({
    id: z.optional(Id),
    project_id: z.optional(Id),
    integration_id: z.optional(Id),
    name: Name,
    match_type: Source,
    method: MatchMethod,
    body_data_type: BodyFormatInput,
    key: Key.check(z.minLength(1, 'is required')),
    value: Text.check(z.minLength(1, 'is required'), z.maxLength(10_000)),
  })
  .check(
    z.refine((matcher) => matcher.match_type !== 'body' || Boolean(matcher.body_data_type), {
      path: ['body_data_type'],
      message: 'is required',
    }),
    z.refine((matcher) => matcher.match_type !== 'header' || isHeaderName(matcher.key), {
      path: ['key'],
      message: 'is not the name of a header',
    }),
  );
export type MatcherInput = z.infer<typeof MatcherInput>;

const MatcherParams = z.object({ ...IntegrationParams.shape, matcher_id: PathId });

export const integrationMatcherRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/matchers',
    permission: 'member',
    summary: 'Matchers of the integration, in the order in which they are looked at.',
    params: IntegrationParams,
    response: z.array(Matcher),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/integrations/:integration_id/matchers',
    permission: 'update',
    summary: 'Adds a matcher.',
    params: IntegrationParams,
    body: MatcherInput,
    response: Matcher,
    status: 200,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/matchers/:matcher_id',
    permission: 'member',
    summary: 'One matcher.',
    params: MatcherParams,
    response: Matcher,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/matchers/:matcher_id/refs',
    permission: 'member',
    summary: 'What uses the matcher: nothing ever does.',
    params: MatcherParams,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/integrations/:integration_id/matchers/:matcher_id',
    permission: 'update',
    summary: 'Changes a matcher.',
    params: MatcherParams,
    body: MatcherInput,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/integrations/:integration_id/matchers/:matcher_id',
    permission: 'update',
    summary: 'Deletes a matcher.',
    params: MatcherParams,
    status: 204,
  }),
};
