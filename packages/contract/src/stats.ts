import * as z from 'zod/mini';
import { PathId, ProjectParams } from './fields.ts';
import { defineRoute } from './http/route.ts';

/** Ended tasks of one day, by the day on which they were created. */
export const StatsPoint = z.object({
  date: z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/)),
  count_by_status: z.object({ success: z.int(), error: z.int(), stopped: z.int() }),
});
export type StatsPoint = z.infer<typeof StatsPoint>;

/** A day of the calendar. Whether there is such a day is for the server to say. */
const Day = z.string().check(z.regex(/^\d{4}-\d\d-\d\d$/, 'must be a date such as 2026-01-31'));

const StatsQuery = z.object({
  /** First day; without one, the day of the first task. */
  start: z.optional(Day),
  /** Last day, itself included. */
  end: z.optional(Day),
  user_id: z.optional(PathId),
  /** IANA time zone in which days begin and end; UTC without one. */
  tz: z.optional(z.string().check(z.maxLength(64))),
});

export const statsRoutes = {
  ofProject: defineRoute({
    method: 'GET',
    path: '/project/:project_id/stats',
    permission: 'member',
    summary: 'Ended tasks of the project by day and status; days without tasks are left out.',
    params: ProjectParams,
    query: StatsQuery,
    response: z.array(StatsPoint),
    status: 200,
  }),
  ofTemplate: defineRoute({
    method: 'GET',
    path: '/project/:project_id/templates/:template_id/stats',
    permission: 'member',
    summary: 'Ended tasks of the template by day and status; days without tasks are left out.',
    params: z.object({ ...ProjectParams.shape, template_id: PathId }),
    query: StatsQuery,
    response: z.array(StatsPoint),
    status: 200,
  }),
};
