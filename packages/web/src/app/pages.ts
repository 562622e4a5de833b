import type { Permission } from '@signalbox/contract/http/route';
import {
  IconActivity,
  IconApps,
  IconBell,
  IconCalendarTime,
  IconChartBar,
  IconFileImport,
  IconGitBranch,
  IconKey,
  IconLayoutDashboard,
  IconListCheck,
  IconPlus,
  IconServer2,
  IconServerBolt,
  IconSettings,
  IconTemplate,
  IconUsers,
  IconUsersGroup,
  IconVariable,
  IconWebhook,
} from '@tabler/icons-react';
import type { MessageKey } from '../lib/i18n.ts';

/** A place that has a name. Drawer, palette and the list of keys are made from these. */
export type NamedPage = {
  label: MessageKey;
  /** Path of its route. */
  to: string;
  icon: typeof IconKey;
  /** Where else it is linked; the palette reaches all of them. */
  isInDrawer?: true;
  /** Only in projects of the standard type. */
  isStandardOnly?: true;
  /** Last parts of the other addresses that belong to its entry in the drawer. */
  alsoAt?: readonly string[];
  /** Whom it is for; everybody who may see the project, or is signed in, where it is not said. */
  needs?: Permission | 'createProject' | 'remoteRunners';
  /** After `g` this key leads here. */
  key?: string;
};

const project = '/project/$projectId';

export const projectPages: readonly NamedPage[] = [
  {
    label: 'nav.dashboard',
    to: `${project}/history`,
    icon: IconLayoutDashboard,
    isInDrawer: true,
    alsoAt: ['activity', 'settings', 'stats', 'runners', 'notifications'],
    key: 'd',
  },
  {
    label: 'nav.templates',
    to: `${project}/templates`,
    icon: IconTemplate,
    isInDrawer: true,
    isStandardOnly: true,
    alsoAt: ['tasks', 'views'],
    key: 't',
  },
  {
    label: 'nav.schedule',
    to: `${project}/schedule`,
    icon: IconCalendarTime,
    isInDrawer: true,
    isStandardOnly: true,
    key: 's',
  },
  {
    label: 'nav.inventory',
    to: `${project}/inventory`,
    icon: IconServer2,
    isInDrawer: true,
    isStandardOnly: true,
    key: 'i',
  },
  {
    label: 'nav.environment',
    to: `${project}/environment`,
    icon: IconVariable,
    isInDrawer: true,
    isStandardOnly: true,
    key: 'v',
  },
  { label: 'nav.keys', to: `${project}/keys`, icon: IconKey, isInDrawer: true, isStandardOnly: true, key: 'k' },
  {
    label: 'nav.repositories',
    to: `${project}/repositories`,
    icon: IconGitBranch,
    isInDrawer: true,
    isStandardOnly: true,
    key: 'r',
  },
  {
    label: 'nav.integrations',
    to: `${project}/integrations`,
    icon: IconWebhook,
    isInDrawer: true,
    isStandardOnly: true,
    key: 'n',
  },
  { label: 'nav.team', to: `${project}/team`, icon: IconUsersGroup, isInDrawer: true, key: 'm' },
  { label: 'dashboard.stats', to: `${project}/stats`, icon: IconChartBar, isStandardOnly: true },
  { label: 'dashboard.activity', to: `${project}/activity`, icon: IconActivity, key: 'a' },
  { label: 'palette.projectRunners', to: `${project}/runners`, icon: IconServerBolt, isStandardOnly: true },
  { label: 'palette.projectSettings', to: `${project}/settings`, icon: IconSettings, needs: 'update' },
  { label: 'notifications.ofProject', to: `${project}/notifications`, icon: IconBell, needs: 'update' },
];

export const installationPages: readonly NamedPage[] = [
  { label: 'shell.users', to: '/users', icon: IconUsers, needs: 'admin' },
  { label: 'shell.activeTasks', to: '/tasks', icon: IconListCheck, needs: 'admin' },
  { label: 'shell.runners', to: '/runners', icon: IconServerBolt, needs: 'remoteRunners' },
  { label: 'shell.apps', to: '/apps', icon: IconApps, needs: 'admin' },
  { label: 'notifications.ofAll', to: '/notifications', icon: IconBell, needs: 'admin' },
  { label: 'tokens.title', to: '/tokens', icon: IconKey },
  { label: 'shell.newProject', to: '/project/new', icon: IconPlus, needs: 'createProject' },
  { label: 'shell.restoreProject', to: '/project/restore', icon: IconFileImport, needs: 'createProject' },
];
