import * as z from 'zod/mini';

/** What a tool would do to one object. `replace` deletes it and creates it anew. */
export const PlanAction = z.enum(['create', 'update', 'delete', 'replace', 'read', 'forget']);
export type PlanAction = z.infer<typeof PlanAction>;

/** As many changes as are listed one by one; the counts are always those of all. */
export const mostPlanChanges = 500;

/** What a plan of Terraform, OpenTofu or Pulumi would change. Read from its machine-readable form, never from its text. */
export const Plan = z.object({
  /** Objects to be created, replacements included. */
  add: z.int(),
  change: z.int(),
  /** Objects to be deleted, replacements included. */
  destroy: z.int(),
  /** The first of them, in the tool's order. `address` is the tool's own name of the object. */
  changes: z.array(z.object({ address: z.string(), action: PlanAction })).check(z.maxLength(mostPlanChanges)),
});
export type Plan = z.infer<typeof Plan>;
