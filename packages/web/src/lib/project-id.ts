import { useParams } from '@tanstack/react-router';

/** Id of the project of the address. @throws outside of a project's screens. */
export function useProjectId(): number {
  const projectId = useOptionalProjectId();
  if (projectId === undefined) throw new Error('This screen belongs to a project');
  return projectId;
}

export function useOptionalProjectId(): number | undefined {
  const { projectId } = useParams({ strict: false }) as { projectId?: string };
  return projectId === undefined || !/^\d+$/.test(projectId) ? undefined : Number(projectId);
}
