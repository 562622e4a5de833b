import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { isSignedOut, isUnverified } from '../lib/failure.ts';
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

/** Where the sign-in screen leads: the path it was reached from, with the query string. Why a sign-in failed is of the past. */
export function placeAfterLogin(search: Record<string, unknown>) {
  const { return: back, error: _, ...rest } = search;
  return { to: readReturnPath(back), search: rest };
}

/** `new_project` opens the form for a project, wherever it stands. @throws a redirect then */
export function openNewProject({ pathname, search }: Place): void {
  const { new_project: newProject, ...rest } = search;
  if (newProject !== undefined && pathname !== '/project/new') throw redirect({ to: '/project/new', search: rest });
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

/** How far a sign-in has come that is not complete. */
export type SignInState = 'unauthenticated' | 'unverified';

/** What the sign-in screen has to ask for. @throws a redirect for who is signed in, and why the server could not say who it is. */
export async function readSignInState(queryClient: QueryClient, search: Record<string, unknown>): Promise<SignInState> {
  const isStranger = isKnownStranger();
  forgetStranger();
  if (isStranger) return 'unauthenticated';
  // The screen that sent here has asked a moment ago.
  const refusal = queryClient.getQueryState(currentUserQuery.queryKey)?.error ?? (await askWhoItIs(queryClient));
  if (refusal === undefined) throw redirect(placeAfterLogin(search));
  if (isUnverified(refusal)) return 'unverified';
  if (isSignedOut(refusal)) return 'unauthenticated';
  throw refusal;
}

/** Undefined: the server knows him. */
async function askWhoItIs(queryClient: QueryClient): Promise<unknown> {
  try {
    await queryClient.ensureQueryData(currentUserQuery);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Sends the start page on to a project. @throws a redirect, always. */
export async function openSomeProject(queryClient: QueryClient, search: Record<string, unknown>): Promise<never> {
  const projects = await queryClient.ensureQueryData(projectsQuery);
  const chosen = chooseProject(
    projects.map((project) => project.id),
    undefined,
    readPreferences().lastProject,
  );
  if (chosen === undefined) throw redirect({ to: '/project/new', search });
  throw redirect({ to: '/project/$projectId/history', params: { projectId: String(chosen) }, search });
}

/** Reads the caller's role before a project's screens are drawn. */
export async function enterProject(queryClient: QueryClient, projectId: number): Promise<void> {
  await queryClient.ensureQueryData(roleQuery(projectId));
}
