import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { isSignedOut } from '../lib/failure.ts';
import { readPreferences } from '../lib/preferences.ts';
import { currentUserQuery, projectsQuery, roleQuery, systemQuery } from '../lib/session.ts';
import { chooseProject } from './project-choice.ts';
import { readReturnPath } from './return-path.ts';
import { forgetStranger, isKnownStranger } from './visitor.ts';

type Place = { pathname: string; search: Record<string, unknown> };

/** The way to the sign-in screen that leads back: the query string stays as it is, the path goes into `return`. */
export function loginFrom({ pathname, search }: Place) {
  const back = readReturnPath(pathname);
  return { to: '/auth/login' as const, search: { ...search, ...(back === '/' ? {} : { return: back }) } };
}

/** Where the sign-in screen leads: the path it was reached from, with the query string. */
export function placeAfterLogin(search: Record<string, unknown>) {
  const { return: back, ...rest } = search;
  return { to: readReturnPath(back), search: rest };
}

/** Lets nobody in who is not signed in. @throws a redirect, or why the server could not say who it is. */
export async function requireUser(queryClient: QueryClient, location: Place): Promise<void> {
  if (isKnownStranger()) throw redirect(loginFrom(location));
  try {
    await Promise.all([
      queryClient.ensureQueryData(currentUserQuery),
      queryClient.ensureQueryData(projectsQuery),
      queryClient.ensureQueryData(systemQuery),
    ]);
  } catch (error) {
    if (isSignedOut(error)) throw redirect(loginFrom(location));
    throw error;
  }
}

/** Who is signed in already does not see the form. @throws a redirect then. */
export async function skipIfSignedIn(queryClient: QueryClient, search: Record<string, unknown>): Promise<void> {
  forgetStranger();
  if (queryClient.getQueryData(currentUserQuery.queryKey) === undefined) return;
  throw redirect(placeAfterLogin(search));
}

/** Sends the start page on to a project. @throws a redirect, always. */
export async function openSomeProject(queryClient: QueryClient, search: Record<string, unknown>): Promise<never> {
  const projects = await queryClient.ensureQueryData(projectsQuery);
  const { new_project: newProject, ...rest } = search;
  const chosen = chooseProject(
    projects.map((project) => project.id),
    undefined,
    readPreferences().lastProject,
  );
  if (chosen === undefined || newProject !== undefined) throw redirect({ to: '/project/new', search: rest });
  throw redirect({ to: '/project/$projectId/history', params: { projectId: String(chosen) }, search: rest });
}

/** Reads the caller's role before a project's screens are drawn. */
export async function enterProject(queryClient: QueryClient, projectId: number): Promise<void> {
  await queryClient.ensureQueryData(roleQuery(projectId));
}
