import { readCron } from '@signalbox/contract/cron';
import { type Schedule, type ScheduleInput, scheduleRoutes } from '@signalbox/contract/schedules';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { parseTime } from '../../lib/dates.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useActiveSwitch } from '../../lib/use-active-switch.ts';
import { useRemoval } from '../../lib/use-removal.ts';
import { showFailure } from '../../ui/snackbar.ts';

const SECOND = 1000;

/** A tick moves the next time on, and nobody tells of it: the list is asked for again when the nearest one has passed. */
function untilAfter(times: readonly string[], now: number): number | false {
  if (times.length === 0) return false;
  const nearest = Math.min(...times.map(parseTime));
  return Math.min(Math.max(nearest - now + 2 * SECOND, 5 * SECOND), 3600 * SECOND);
}

export function schedulesQuery(projectId: number) {
  return queryOptions({
    queryKey: projectKey(projectId, 'schedules'),
    queryFn: ({ signal }) => call(scheduleRoutes.list, { params: { project_id: projectId }, signal }),
    refetchInterval: ({ state }) =>
      untilAfter(
        (state.data ?? []).flatMap(({ next_run }) => next_run ?? []),
        Date.now(),
      ),
  });
}

type CronInZone = { cron: string; timezone: string };

/** When a cron text would fire, as the server reads it. */
export function cronPreviewQuery(projectId: number, { cron, timezone }: CronInZone) {
  return queryOptions({
    queryKey: projectKey(projectId, 'schedule-preview', cron, timezone),
    queryFn: ({ signal }) =>
      call(scheduleRoutes.validate, {
        params: { project_id: projectId },
        body: { cron_format: cron, timezone },
        signal,
      }),
    enabled: 'cron' in readCron(cron),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
    refetchInterval: ({ state }) => untilAfter(state.data?.next_runs ?? [], Date.now()),
  });
}

export type ScheduleSave = { id: number | undefined; input: ScheduleInput };

export function useSaveSchedule(projectId: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: ScheduleSave): Promise<void> => {
      if (id === undefined) {
        await call(scheduleRoutes.create, { params: { project_id: projectId }, body: { ...input, active: true } });
        return;
      }
      await call(scheduleRoutes.update, { params: { project_id: projectId, schedule_id: id }, body: { ...input, id } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'schedules') }),
  });
}

export function useScheduleSwitch(projectId: number) {
  return useActiveSwitch<Schedule>({
    queryKey: schedulesQuery(projectId).queryKey,
    send: ({ row, active }) =>
      call(scheduleRoutes.setActive, { params: { project_id: projectId, schedule_id: row.id }, body: { active } }),
    onRefused: showFailure,
  });
}

export function useScheduleRemoval(projectId: number, onRemoved: (schedule: Schedule) => void) {
  const queryClient = useQueryClient();
  const paramsOf = (schedule: Schedule) => ({ params: { project_id: projectId, schedule_id: schedule.id } });
  return useRemoval<Schedule>({
    loadReferences: (schedule) => call(scheduleRoutes.references, paramsOf(schedule)),
    remove: (schedule) => call(scheduleRoutes.remove, paramsOf(schedule)),
    onRemoved: (schedule) => {
      void queryClient.invalidateQueries({ queryKey: projectKey(projectId, 'schedules') });
      onRemoved(schedule);
    },
  });
}
