import * as z from 'zod/mini';

/**
 * How a runner makes sure that a host it reaches by ssh is the right one. accept-new: the key of the first contact is remembered, and another
 * one is refused from then on; strict: only keys that the runner knows already; off: no check at all.
 */
export const hostKeyPolicies = ['accept-new', 'strict', 'off'] as const;
export const HostKeyPolicy = z.enum(hostKeyPolicies);
export type HostKeyPolicy = z.infer<typeof HostKeyPolicy>;
