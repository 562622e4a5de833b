import type * as z from 'zod/mini';

/**
 * Who may call a route. The server checks it before the handler runs, the console reads it to hide or disable, the
 * OpenAPI document prints it. `public` is written out, so that nothing is open by omission.
 *
 * - `public`: nobody is checked
 * - `session`: a session, also one whose second step is still open; no API token
 * - `signed_in`: a verified session or an API token
 * - `self`: signed in, and the user of the path or an administrator
 * - `admin`: signed in, with the global admin flag
 * - `member`: signed in, and member of the project of the path in any role, or admin; others get 404
 * - `run`, `update`, `resources`, `users`: member, plus that permission bit in every method
 * - `runner`: a runner's token
 */
export type Permission =
  | 'public'
  | 'session'
  | 'signed_in'
  | 'self'
  | 'admin'
  | 'member'
  | 'run'
  | 'update'
  | 'resources'
  | 'users'
  | 'runner';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** What a success carries besides JSON: `stream` is bytes written by the handler itself, `redirect` where to go on. */
export type Transfer = 'json' | 'stream' | 'text' | 'redirect' | 'png';

type Schema = z.ZodMiniType;

export type Route = {
  readonly method: Method;
  /** Path under `/api`, with `:name` for parameters; always begins with a slash. */
  readonly path: string;
  readonly permission: Permission;
  /** One sentence for the OpenAPI document. */
  readonly summary: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Bytes instead of JSON in the request (`application/octet-stream`). */
  readonly binaryBody?: boolean;
  /** A body of any type, or none, which the handler reads itself. */
  readonly anyBody?: boolean;
  /** Largest request body in bytes; 2 MB where it is not said. */
  readonly bodyLimit?: number;
  /** Parsed on the way out, so that a column that the schema does not name cannot leak. Absent: no body. */
  readonly response?: Schema;
  readonly transfer?: Transfer;
  /** False where a success leaves every list of the project as it was, or where its own live message tells of it. */
  readonly announced?: boolean;
  /** True where the call itself carries its proof, so that the page that it may come from says nothing. */
  readonly anyOrigin?: boolean;
  readonly status: 200 | 201 | 204 | 307;
};

export const defaultBodyLimit = 2 * 1024 * 1024;
/** For routes that carry whole documents: inventories, keys, backups, states. */
export const largeBodyLimit = 64 * 1024 * 1024;

/** Keeps the literal types of a route, so that handler and caller infer theirs from it. */
export function defineRoute<const R extends Route>(route: R): R {
  return route;
}

type Output<S> = S extends Schema ? z.output<S> : undefined;
type Input<S> = S extends Schema ? z.input<S> : undefined;

export type RouteParams<R extends Route> = Output<R['params']>;
export type RouteQuery<R extends Route> = Output<R['query']>;
export type RouteBody<R extends Route> = Output<R['body']>;
export type RouteResponse<R extends Route> = Output<R['response']>;
/** What a handler returns: the response before its schema strips and checks it. */
export type RouteResult<R extends Route> = Input<R['response']>;

/** What a caller passes. Members exist only where the route declares them. */
export type RouteCall<R extends Route> = (R['params'] extends Schema
  ? { params: { [K in keyof z.output<R['params']>]: string | number } }
  : object) &
  (R['query'] extends Schema ? { query?: z.input<R['query']> } : object) &
  (R['body'] extends Schema ? { body: z.input<R['body']> } : object);
