import type { EnvironmentInput } from '@signalbox/contract/environments';
import { MatcherInput } from '@signalbox/contract/integration-matchers';
import { ExtractedValueInput } from '@signalbox/contract/integration-values';
import { IntegrationInput } from '@signalbox/contract/integrations';
import { InventoryInput } from '@signalbox/contract/inventories';
import { KeyInput } from '@signalbox/contract/keys';
import type { ProjectInput } from '@signalbox/contract/projects';
import type { RepositoryInput } from '@signalbox/contract/repositories';
import type { ScheduleInput } from '@signalbox/contract/schedules';
import type { TemplateInput } from '@signalbox/contract/templates';
import type { ViewInput } from '@signalbox/contract/views';
import * as z from 'zod/mini';
import type { Placed } from './file-lists.ts';

export const StoredKey = z.object({ name: KeyInput.shape.name, type: KeyInput.shape.type });
const StateAlias = z.object({ alias: z.string(), auth_key_id: z.int() });
export const StoredInventory = z.intersection(
  InventoryInput,
  z.object({ path: z.string(), terraform_aliases: z.array(StateAlias) }),
);
export const StoredIntegration = z.object({
  ...IntegrationInput.shape,
  path: z.string(),
  aliases: z.array(z.string()),
  matchers: z.array(MatcherInput),
  extract_values: z.array(ExtractedValueInput),
});

/** A file that can be restored: inputs of forms, whose ids are places in the lists of this file, counted from 1. */
export type ReadFile = {
  readonly project: ProjectInput;
  readonly views: readonly ViewInput[];
  readonly keys: readonly z.infer<typeof StoredKey>[];
  readonly environments: readonly EnvironmentInput[];
  readonly repositories: readonly RepositoryInput[];
  readonly inventories: readonly z.infer<typeof StoredInventory>[];
  readonly templates: readonly TemplateInput[];
  readonly schedules: readonly ScheduleInput[];
  readonly integrations: readonly z.infer<typeof StoredIntegration>[];
  readonly aliases: readonly Placed<string>[];
};
