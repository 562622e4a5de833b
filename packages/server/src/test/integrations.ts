import { deliveryRoutes } from '@signalbox/contract/deliveries';
import { integrationAliasRoutes } from '@signalbox/contract/integration-aliases';
import { integrationMatcherRoutes, type MatcherInput } from '@signalbox/contract/integration-matchers';
import { type ExtractedValueInput, integrationValueRoutes } from '@signalbox/contract/integration-values';
import { type IntegrationInput, integrationRoutes } from '@signalbox/contract/integrations';
import { aPasswordKey, aTemplate, type TestProject } from './factories.ts';
import type { TestAnswer, TestServer } from './start-test-server.ts';

export type TestIntegration = {
  id: number;
  templateId: number;
  /** Last part of its own address. */
  alias: string;
};

export type IntegrationParts = Partial<IntegrationInput> & {
  /** Made into a key. */
  secret?: string;
  matchers?: Partial<MatcherInput>[];
  values?: Partial<ExtractedValueInput>[];
};

let counter = 0;

/** An integration with an alias of its own, made through the API as the console does. */
export async function anIntegration(
  server: TestServer,
  project: TestProject,
  { secret, matchers = [], values = [], ...input }: IntegrationParts = {},
): Promise<TestIntegration> {
  counter += 1;
  const { session } = project.owner;
  const templateId = input.template_id ?? (await aTemplate(server, project));
  const created = await server.ask(integrationRoutes.create, {
    params: { project_id: project.id },
    body: {
      name: `integration-${counter}`,
      ...(secret === undefined ? {} : { auth_secret_id: await aPasswordKey(server, project.id, secret) }),
      ...input,
      template_id: templateId,
    },
    session,
  });
  expectStatus(created, 201);
  const { id } = created.body;
  const params = { project_id: project.id, integration_id: id };
  for (const matcher of matchers) {
    const body = {
      name: 'm',
      match_type: 'body',
      body_data_type: 'json',
      method: 'equals',
      ...matcher,
    } as MatcherInput;
    expectStatus(await server.ask(integrationMatcherRoutes.create, { params, body, session }), 200);
  }
  for (const value of values) {
    const body = { name: 'v', value_source: 'body', body_data_type: 'json', ...value } as ExtractedValueInput;
    expectStatus(await server.ask(integrationValueRoutes.create, { params, body, session }), 201);
  }
  const alias = await server.ask(integrationAliasRoutes.create, { params, session });
  expectStatus(alias, 200);
  return { id, templateId, alias: aliasOf(alias.body.url) };
}

export async function aProjectAlias(server: TestServer, project: TestProject): Promise<string> {
  const params = { project_id: project.id };
  const alias = await server.ask(integrationAliasRoutes.createForProject, { params, session: project.owner.session });
  expectStatus(alias, 200);
  return aliasOf(alias.body.url);
}

export const aliasOf = (url: string): string => url.slice(url.lastIndexOf('/') + 1);

/** Deliveries of an integration, newest first. */
export async function listDeliveriesOf(server: TestServer, project: TestProject, integrationId: number) {
  const params = { project_id: project.id, integration_id: integrationId };
  const answer = await server.ask(deliveryRoutes.list, { params, session: project.owner.session });
  expectStatus(answer, 200);
  return answer.body;
}

/** Tasks that an integration has started, oldest first, with their variables. */
export async function listTasksOf(
  server: Pick<TestServer, 'database'>,
  integrationId: number,
): Promise<{ id: number; variables: Record<string, unknown>; params: unknown; user_id: number | null }[]> {
  const rows = await server.database.read
    .selectFrom('task')
    .select(['id', 'environment', 'params', 'user_id'])
    .where('integration_id', '=', integrationId)
    .orderBy('id')
    .execute();
  return rows.map(({ id, environment, params, user_id }) => ({
    id,
    variables: JSON.parse(environment),
    params: JSON.parse(params),
    user_id,
  }));
}

function expectStatus(answer: Pick<TestAnswer, 'status' | 'text'>, status: number): void {
  if (answer.status !== status) throw new Error(`${answer.status} instead of ${status}: ${answer.text}`);
}
