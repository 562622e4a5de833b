import activeTasks from './en/active-tasks.json' with { type: 'json' };
import app from './en/app.json' with { type: 'json' };
import apps from './en/apps.json' with { type: 'json' };
import environments from './en/environments.json' with { type: 'json' };
import history from './en/history.json' with { type: 'json' };
import integrations from './en/integrations.json' with { type: 'json' };
import inventories from './en/inventories.json' with { type: 'json' };
import keys from './en/keys.json' with { type: 'json' };
import lib from './en/lib.json' with { type: 'json' };
import log from './en/log.json' with { type: 'json' };
import notifications from './en/notifications.json' with { type: 'json' };
import palette from './en/palette.json' with { type: 'json' };
import projects from './en/projects.json' with { type: 'json' };
import repositories from './en/repositories.json' with { type: 'json' };
import runners from './en/runners.json' with { type: 'json' };
import schedules from './en/schedules.json' with { type: 'json' };
import signIn from './en/sign-in.json' with { type: 'json' };
import stats from './en/stats.json' with { type: 'json' };
import tasks from './en/tasks.json' with { type: 'json' };
import team from './en/team.json' with { type: 'json' };
import templates from './en/templates.json' with { type: 'json' };
import tokens from './en/tokens.json' with { type: 'json' };
import ui from './en/ui.json' with { type: 'json' };
import users from './en/users.json' with { type: 'json' };

/** English is the source: every key of the interface is here, one file for each area. Messages are ICU. */
export const en = {
  ...tokens,
  ...runners,
  ...apps,
  ...activeTasks,
  ...app,
  ...environments,
  ...history,
  ...integrations,
  ...inventories,
  ...keys,
  ...lib,
  ...log,
  ...notifications,
  ...palette,
  ...projects,
  ...repositories,
  ...schedules,
  ...signIn,
  ...stats,
  ...tasks,
  ...team,
  ...templates,
  ...ui,
  ...users,
};
