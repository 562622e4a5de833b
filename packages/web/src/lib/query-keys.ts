/** Keys of cached server data. What belongs to a project starts with the project, so that one prefix reloads it all. */
export const sessionKey = ['session'] as const;

export function projectKey(projectId: number): readonly ['project', number];
export function projectKey<const Rest extends readonly unknown[]>(
  projectId: number,
  ...rest: Rest
): readonly ['project', number, ...Rest];
export function projectKey(projectId: number, ...rest: readonly unknown[]): readonly unknown[] {
  return ['project', projectId, ...rest];
}
