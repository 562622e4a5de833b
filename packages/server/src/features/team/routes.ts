import { teamRoutes } from '@signalbox/contract/team';
import type { Database } from '../../db/database.ts';
import type { HttpApi } from '../../http/http-api.ts';
import { register } from '../../http/register.ts';
import { listMembers } from './queries.ts';
import { addMember, changeMember, leaveProject, removeMember, requireMember } from './team.ts';

/** @param onRightsChange is told when somebody won or lost rights, so that open connections look again. */
export function teamApi(http: HttpApi, database: Database, onRightsChange: () => void): void {
  register(http, teamRoutes.list, ({ params, query }) => listMembers(database.read, params.project_id, query));
  register(http, teamRoutes.get, ({ params }) => requireMember(database.read, params.project_id, params.user_id));
  register(http, teamRoutes.add, async ({ params, body, actor }) => {
    await addMember(database, actor, params.project_id, body);
    onRightsChange();
  });
  register(http, teamRoutes.update, async ({ params, body, actor }) => {
    await changeMember(database, actor, { projectId: params.project_id, userId: params.user_id }, body.role);
    onRightsChange();
  });
  register(http, teamRoutes.remove, async ({ params, actor }) => {
    await removeMember(database, actor, { projectId: params.project_id, userId: params.user_id });
    onRightsChange();
  });
  register(http, teamRoutes.leave, async ({ params, actor }) => {
    await leaveProject(database, actor, params.project_id);
    onRightsChange();
    http.onChange(params.project_id, 'users');
    http.onChange(null, 'projects');
  });
}
