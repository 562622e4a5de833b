import type { RoleName } from '@signalbox/contract/permissions';
import { type Member, type MemberInput, teamRoutes } from '@signalbox/contract/team';
import { userRoutes } from '@signalbox/contract/users';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { membersQuery } from '../../lib/project-lists.ts';
import { projectKey, sessionKey } from '../../lib/query-keys.ts';
import { useProjectExit } from '../../lib/use-project-exit.ts';

/** Everybody who could be added to a team. */
export const peopleQuery = queryOptions({
  queryKey: [...sessionKey, 'users'],
  queryFn: ({ signal }) => call(userRoutes.list, { signal }),
});

export function useAddMember(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: MemberInput) => call(teamRoutes.add, { params: { project_id: projectId }, body: input }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId) }),
  });
}

type RoleChange = { member: Member; role: RoleName };

/** Gives a member another role: at once on the screen, and back where the server refuses. */
export function useChangeRole(projectId: number, onRefused: (error: unknown) => void) {
  const queryClient = useQueryClient();
  const { queryKey } = membersQuery(projectId);
  const show = (id: number, role: RoleName): void => {
    queryClient.setQueryData(queryKey, (members) =>
      members?.map((member) => (member.id === id ? { ...member, role } : member)),
    );
  };
  return useMutation({
    mutationFn: ({ member, role }: RoleChange) =>
      call(teamRoutes.update, { params: { project_id: projectId, user_id: member.id }, body: { role } }),
    onMutate: async ({ member, role }) => {
      // An answer that is on its way would show what was before.
      await queryClient.cancelQueries({ queryKey });
      show(member.id, role);
    },
    onError: (error, { member }) => {
      show(member.id, member.role);
      onRefused(error);
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId) }),
  });
}

export function useRemoveMember(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: Member) => call(teamRoutes.remove, { params: { project_id: projectId, user_id: id } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId) }),
  });
}

export function useLeaveProject(projectId: number) {
  return useProjectExit(projectId, () => call(teamRoutes.leave, { params: { project_id: projectId } }));
}
