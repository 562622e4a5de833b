import { ErrorBody } from '@signalbox/contract/errors';
import type { Route, RouteCall, RouteResponse } from '@signalbox/contract/http/route';
import * as z from 'zod/mini';
import { readBasePath } from './base-path.ts';
import { ApiError } from './failure.ts';
import { t } from './i18n.ts';
import { parseJson } from './json-text.ts';

/** What every call may add to what its route declares. */
type CallOptions = { signal?: AbortSignal | undefined };
/** A call without params, query and body may leave its second argument out. */
type CallArguments<R extends Route> =
  object extends RouteCall<R> ? [call?: RouteCall<R> & CallOptions] : [call: RouteCall<R> & CallOptions];
type Parts = {
  params?: Record<string, string | number>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
};

/** Calls a route and returns its parsed answer. @throws ApiError for every answer that is no success, and for none. */
export async function call<const R extends Route>(route: R, ...[given]: CallArguments<R>): Promise<RouteResponse<R>> {
  const parts = (given ?? {}) as Parts; // the route's own types were checked at the call
  const response = await send(route, parts);
  if (!response.ok) throw await readFailure(response);
  return (await readAnswer(route, response)) as RouteResponse<R>;
}

/** Address of a route for a link or a download. */
export function buildUrl(route: Route, parts: Pick<Parts, 'params' | 'query'> = {}): string {
  const path = route.path.replace(/:([a-z_]+)/g, (_, name: string) => {
    const value = parts.params?.[name];
    if (value === undefined) throw new Error(`The path ${route.path} needs ${name}`);
    return encodeURIComponent(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(parts.query ?? {})) {
    if (value !== undefined && value !== null) search.set(name, String(value));
  }
  return `${readBasePath()}/api${path}${search.size > 0 ? `?${search}` : ''}`;
}

async function send(route: Route, parts: Parts): Promise<Response> {
  const request: RequestInit = { method: route.method, credentials: 'same-origin' };
  if (parts.signal !== undefined) request.signal = parts.signal;
  if (parts.body !== undefined) {
    request.body = JSON.stringify(parts.body);
    request.headers = { 'content-type': 'application/json' };
  }
  try {
    return await fetch(buildUrl(route, parts), request);
  } catch (cause) {
    if (parts.signal?.aborted) throw cause;
    throw new ApiError({ status: 0, code: 'unreachable', message: t('api.unreachable'), cause });
  }
}

/** The server has parsed the answer with the route's schema, so that it is not parsed a second time here. */
async function readAnswer(route: Route, response: Response): Promise<unknown> {
  if (response.status === 204) return undefined;
  if (route.transfer === 'text') return response.text();
  return response.json();
}

async function readFailure(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const body = z.safeParse(ErrorBody, parseJson(text));
  const status = response.status;
  if (body.success) {
    const { error, code, details } = body.data;
    return new ApiError({ status, code, message: error, details });
  }
  // A proxy in between, or a server that is just going away.
  const message = t('api.badAnswer', { status: `${status} ${response.statusText}`.trim() });
  return new ApiError({ status, code: status === 401 ? 'unauthenticated' : 'bad_answer', message });
}
