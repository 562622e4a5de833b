import { fileURLToPath } from 'node:url';
import type { Template, TemplateInput } from '@signalbox/contract/templates';
import type { Api } from '../e2e/fixtures/api.ts';
import { type GitRepository, makeGitRepository } from '../e2e/fixtures/git-repository.ts';
import { addTemplate, makeWorkshop, type Workshop } from '../e2e/fixtures/projects.ts';
import { type SignalboxServer, startServer } from '../e2e/fixtures/server.ts';

export const builtServer = fileURLToPath(new URL('../dist/server.js', import.meta.url));

/** The built server with one project and one local repository of scripts. */
export class Shop {
  readonly server: SignalboxServer;
  readonly repository: GitRepository;
  readonly api: Api;
  readonly workshop: Workshop;

  constructor(server: SignalboxServer, repository: GitRepository, api: Api, workshop: Workshop) {
    this.server = server;
    this.repository = repository;
    this.api = api;
    this.workshop = workshop;
  }

  template(
    name: string,
    playbook: string,
    change: Omit<Partial<TemplateInput>, 'name' | 'playbook'> = {},
  ): Promise<Template> {
    return addTemplate(this.api, this.workshop, { name, playbook, ...change });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
    await this.repository[Symbol.asyncDispose]();
  }
}

/** @param scripts files of the repository. @param env settings of the server */
export async function openShop(scripts: Record<string, string>, env: Record<string, string> = {}): Promise<Shop> {
  const repository = await makeGitRepository(scripts);
  const server = await startServer({ program: builtServer, localRepositories: [repository.parent], env });
  try {
    await server.waitForRunner();
    const api = await server.signIn();
    return new Shop(server, repository, api, await makeWorkshop(api, repository.path, 'Bench'));
  } catch (error) {
    await server[Symbol.asyncDispose]();
    await repository[Symbol.asyncDispose]();
    throw error;
  }
}
