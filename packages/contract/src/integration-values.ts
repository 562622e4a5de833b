import * as z from 'zod/mini';
import type { FieldProblem } from './errors.ts';
import { Id, Name, PathId, SortQuery, Text } from './fields.ts';
import { defineRoute } from './http/route.ts';
import { BodyFormat, BodyFormatInput, Key, Source } from './integration-matchers.ts';
import { IntegrationParams, isHeaderName } from './integrations.ts';
import { References } from './references.ts';

/** A text of a call that becomes a variable of the task. */
export const ExtractedValue = z.object({
  id: Id,
  integration_id: Id,
  name: z.string(),
  value_source: Source,
  body_data_type: BodyFormat,
  key: z.string(),
  variable: z.string(),
});
export type ExtractedValue = z.infer<typeof ExtractedValue>;

const input = {
  id: z.optional(Id),
  project_id: z.optional(Id),
  integration_id: z.optional(Id),
  name: Name,
  value_source: Source,
  body_data_type: BodyFormatInput,
  /** Not needed for the body as it is. */
  key: z.optional(z.nullable(Key)),
  variable: Text.check(
    z.trim(),
    z.minLength(1, 'is required'),
    z.regex(/^(?!__proto__$)[A-Za-z_][A-Za-z0-9_]{0,254}$/, 'must be a variable name'),
  ),
};

type Parts = Pick<z.infer<typeof ValueParts>, 'value_source' | 'body_data_type' | 'key'>;
const ValueParts = z.object(input);

/** What is missing of a value, by where it is taken from. */
export function findValueProblem({ value_source, body_data_type, key }: Parts): FieldProblem | undefined {
  if (value_source === 'body' && !body_data_type) return { path: 'body_data_type', message: 'is required' };
  if (!key && (value_source === 'header' || body_data_type === 'json')) return { path: 'key', message: 'is required' };
  if (value_source === 'header' && !isHeaderName(key ?? '')) {
    return { path: 'key', message: 'is not the name of a header' };
  }
  return undefined;
}

export const ExtractedValueInput = ValueParts.check((context) => {
  const problem = findValueProblem(context.value);
  if (problem === undefined) return;
  context.issues.push({ code: 'custom', path: [problem.path], message: problem.message, input: context.value });
});
export type ExtractedValueInput = z.infer<typeof ExtractedValueInput>;
/** Only what changes; the rules hold for the whole. */
export const ExtractedValueChange = z.object({
  ...input,
  name: z.optional(input.name),
  value_source: z.optional(input.value_source),
  variable: z.optional(input.variable),
});
export type ExtractedValueChange = z.infer<typeof ExtractedValueChange>;

const ValueParams = z.object({ ...IntegrationParams.shape, value_id: PathId });

export const integrationValueRoutes = {
  list: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/values',
    permission: 'member',
    summary: 'Extracted values of the integration.',
    params: IntegrationParams,
    query: SortQuery,
    response: z.array(ExtractedValue),
    status: 200,
  }),
  create: defineRoute({
    method: 'POST',
    path: '/project/:project_id/integrations/:integration_id/values',
    permission: 'update',
    summary: 'Adds an extracted value.',
    params: IntegrationParams,
    body: ExtractedValueInput,
    response: ExtractedValue,
    status: 201,
  }),
  get: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/values/:value_id',
    permission: 'member',
    summary: 'One extracted value.',
    params: ValueParams,
    response: ExtractedValue,
    status: 200,
  }),
  references: defineRoute({
    method: 'GET',
    path: '/project/:project_id/integrations/:integration_id/values/:value_id/refs',
    permission: 'member',
    summary: 'What uses the extracted value: nothing ever does.',
    params: ValueParams,
    response: References,
    status: 200,
  }),
  update: defineRoute({
    method: 'PUT',
    path: '/project/:project_id/integrations/:integration_id/values/:value_id',
    permission: 'update',
    summary: 'Changes an extracted value; what is not sent stays.',
    params: ValueParams,
    body: ExtractedValueChange,
    status: 204,
  }),
  remove: defineRoute({
    method: 'DELETE',
    path: '/project/:project_id/integrations/:integration_id/values/:value_id',
    permission: 'update',
    summary: 'Deletes an extracted value.',
    params: ValueParams,
    status: 204,
  }),
};
