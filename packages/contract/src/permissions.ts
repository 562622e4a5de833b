import * as z from 'zod/mini';
import type { Permission } from './http/route.ts';

/** The four permission bits of a project role. */
export const permissionBits = { run: 1, update: 2, resources: 4, users: 8 } as const;
export type PermissionBit = keyof typeof permissionBits;

export const roles = ['owner', 'manager', 'task_runner', 'guest'] as const;
export const RoleName = z.enum(roles);
export type RoleName = z.infer<typeof RoleName>;

export const rolePermissions: Record<RoleName, number> = { owner: 15, manager: 5, task_runner: 1, guest: 0 };

/** The caller's role in a project. Administrators who are no members have the empty role and no bits. */
export const Role = z.object({ role: z.union([RoleName, z.literal('')]), permissions: z.int() });
export type Role = z.infer<typeof Role>;

/** Whether a set of bits satisfies what a route asks for inside a project. */
export function grants(permissions: number, needed: Permission): boolean {
  if (!isPermissionBit(needed)) return true;
  return (permissions & permissionBits[needed]) !== 0;
}

export function isPermissionBit(permission: Permission): permission is PermissionBit {
  return Object.hasOwn(permissionBits, permission);
}
