import { mostPlanChanges, type Plan, type PlanAction } from '@signalbox/contract/plan';
import * as z from 'zod/mini';

const Shown = z.object({
  resource_changes: z._default(
    z.array(z.object({ address: z.string(), change: z.object({ actions: z.array(z.string()) }) })),
    [],
  ),
});

/** The tool's words for one object, in one of ours. */
function readAction(actions: readonly string[]): PlanAction | null {
  if (actions.includes('create') && actions.includes('delete')) return 'replace';
  const [action] = actions;
  switch (action) {
    case 'create':
    case 'update':
    case 'delete':
    case 'read':
    case 'forget':
      return action;
    default:
      return null; // no-op
  }
}

/** Counts and addresses out of `show -json` of a saved plan. Values of attributes may be secret and are not looked at. */
export function readTerraformPlan(json: string): Plan {
  const { resource_changes } = z.parse(Shown, JSON.parse(json));
  const changes = resource_changes.flatMap(({ address, change }) => {
    const action = readAction(change.actions);
    return action === null ? [] : [{ address, action }];
  });
  return summarisePlan(changes);
}

export function summarisePlan(changes: Plan['changes']): Plan {
  const count = (...actions: PlanAction[]): number => changes.filter(({ action }) => actions.includes(action)).length;
  return {
    add: count('create', 'replace'),
    change: count('update'),
    destroy: count('delete', 'replace'),
    changes: changes.slice(0, mostPlanChanges),
  };
}
