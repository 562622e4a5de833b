/** The project to open: that of the address, then the last one used here, then the first of the list. */
export function chooseProject(
  projectIds: readonly number[],
  fromRoute: number | undefined,
  lastUsed: number | null,
): number | undefined {
  if (fromRoute !== undefined && projectIds.includes(fromRoute)) return fromRoute;
  if (lastUsed !== null && projectIds.includes(lastUsed)) return lastUsed;
  return projectIds[0];
}
