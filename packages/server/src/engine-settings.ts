import type { Config } from './config.ts';
import { demoRepository } from './demo/demo-repository.ts';
import type { EngineParts } from './engine/start.ts';
import { readVersion } from './installation.ts';

/** What of the settings the engine goes by. */
export function readEngineSettings(config: Config, publicUrl: string): EngineParts['settings'] {
  return {
    webUrl: publicUrl,
    demoRepository: demoRepository(config.dataDir),
    maxTaskSeconds: config.maxTaskSeconds,
    stateBackend: config.premiumFeatures.terraform_backend,
    maxParallelTasks: config.maxParallelTasks,
    runner: config.runner,
    version: readVersion(),
    servers: [publicUrl],
    confirmMs: config.confirmMs,
    runnerSilentMs: config.runnerSilentMs,
    catchUpMs: config.catchUpMs,
    retention: config.retention,
    dataDir: config.dataDir,
    runnerEnv: config.runnerEnv,
    toolEnv: config.toolEnv,
    localRepositories: config.localRepositories,
    deniedNetworks: config.deniedNetworks,
  };
}
