import type { Plan, PlanAction } from '@signalbox/contract/plan';
import * as z from 'zod/mini';
import { summarisePlan } from './terraform-plan.ts';

const SavedPlan = z.object({
  resourcePlans: z._default(z.record(z.string(), z.object({ steps: z._default(z.array(z.string()), []) })), {}),
});
const Preview = z.object({ steps: z._default(z.array(z.object({ op: z.string(), urn: z.string() })), []) });

/** Pulumi's operations that change something; a replacement is told by several, of which one counts. */
function readOperation(operation: string): PlanAction | null {
  switch (operation) {
    case 'create':
    case 'update':
    case 'delete':
    case 'read':
      return operation;
    case 'replace':
      return 'replace';
    default:
      return null; // same, refresh, and the parts of a replacement
  }
}

/** The plan that `preview --save-plan` leaves, by URN. */
export function readPulumiPlan(json: string): Plan {
  const { resourcePlans } = z.parse(SavedPlan, JSON.parse(json));
  const changes = Object.entries(resourcePlans).flatMap(([address, { steps }]) => {
    const action = steps.includes('replace') ? 'replace' : (steps.map(readOperation).find((found) => found) ?? null);
    return action === null ? [] : [{ address, action }];
  });
  return summarisePlan(changes);
}

/** What `--preview-only --json` prints. */
export function readPulumiPreview(json: string): Plan {
  const { steps } = z.parse(Preview, JSON.parse(json));
  const changes = steps.flatMap(({ op, urn }) => {
    const action = readOperation(op);
    return action === null ? [] : [{ address: urn, action }];
  });
  return summarisePlan(changes);
}
