export function LaunchDialogHost({ projectId }: { projectId: number }) {
  return projectId === 0 ? null : null;
}
