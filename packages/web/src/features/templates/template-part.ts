import type { Environment } from '@signalbox/contract/environments';
import type { Inventory } from '@signalbox/contract/inventories';
import type { Key } from '@signalbox/contract/keys';
import type { Repository } from '@signalbox/contract/repositories';
import type { Template } from '@signalbox/contract/templates';
import type { View } from '@signalbox/contract/views';
import type { TemplateDraft } from './template-draft.ts';

/** Everything that a template may name. */
export type TemplateChoices = {
  templates: readonly Template[];
  repositories: readonly Repository[];
  inventories: readonly Inventory[];
  environments: readonly Environment[];
  keys: readonly Key[];
  views: readonly View[];
  /** Tags of runners, and those that other templates ask for. */
  runnerTags: string[];
  /** Whether this server has runners for projects. */
  hasRunnerTags: boolean;
};

/** What every part of a template's form gets. */
export type TemplatePartProps = {
  draft: TemplateDraft;
  errors: Record<string, string>;
  choices: TemplateChoices;
  /** Id of the template itself; undefined for a new one. */
  self: number | undefined;
  onChange: (change: Partial<TemplateDraft>) => void;
};
