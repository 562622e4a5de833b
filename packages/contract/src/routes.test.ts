import { describe, expect, it } from 'vitest';
import { errorStatus } from './errors.ts';
import { grants, permissionBits, rolePermissions, roles } from './permissions.ts';
import { listRoutes } from './routes.ts';

describe('the route table', () => {
  const table = listRoutes();

  it('names each method and path once', () => {
    const calls = table.map(({ route }) => `${route.method} ${route.path.replaceAll(/:\w+/g, ':id')}`);
    expect(new Set(calls).size).toBe(calls.length);
  });

  it('asks for membership on every path of a project', () => {
    const inside = table.filter(({ route }) => route.path.startsWith('/project/'));
    expect(inside.length).toBeGreaterThan(30);
    for (const { name, route } of inside) {
      expect(['member', ...Object.keys(permissionBits)], name).toContain(route.permission);
    }
  });

  it('asks for more than membership on every change inside a project, but for leaving it', () => {
    for (const { name, route } of table) {
      if (name === 'team.leave') continue;
      if (!route.path.startsWith('/project/') || route.method === 'GET') continue;
      expect(Object.keys(permissionBits), name).toContain(route.permission);
    }
  });

  it('declares a schema for the parameters of a path, and no others', () => {
    for (const { name, route } of table) {
      const names = [...route.path.matchAll(/:(\w+)/g)].map((match) => match[1]);
      const declared =
        route.params === undefined
          ? []
          : Object.keys((route.params as unknown as { def: { shape: object } }).def.shape);
      expect(declared.toSorted(), name).toEqual(names.toSorted());
    }
  });

  it('answers a creation with 201 and no content with 204', () => {
    for (const { name, route } of table) {
      const hasContent = route.response !== undefined || route.transfer !== undefined;
      expect(route.status === 204, name).toBe(!hasContent);
    }
  });
});

describe('permissions', () => {
  it('give each role exactly its bits', () => {
    const bits = (role: (typeof roles)[number]) =>
      Object.keys(permissionBits).filter((bit) => grants(rolePermissions[role], bit as keyof typeof permissionBits));
    expect(Object.fromEntries(roles.map((role) => [role, bits(role)]))).toEqual({
      owner: ['run', 'update', 'resources', 'users'],
      manager: ['run', 'resources'],
      task_runner: ['run'],
      guest: [],
    });
    expect(permissionBits).toEqual({ run: 1, update: 2, resources: 4, users: 8 });
  });
});

describe('error codes', () => {
  it('stand for a status of the 4xx or 5xx range each', () => {
    for (const status of Object.values(errorStatus)) expect(status >= 400 && status < 600).toBe(true);
  });
});
