import { deliveryRoutes } from '@signalbox/contract/deliveries';
import { integrationMatcherRoutes, type Matcher, type MatcherInput } from '@signalbox/contract/integration-matchers';
import {
  type ExtractedValue,
  type ExtractedValueInput,
  integrationValueRoutes,
} from '@signalbox/contract/integration-values';
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../lib/api.ts';
import { projectKey } from '../../lib/query-keys.ts';
import { useRemoval } from '../../lib/use-removal.ts';

/** What belongs to one integration: matchers, values, deliveries. */
export type IntegrationPlace = { projectId: number; integrationId: number };

const paramsOf = ({ projectId, integrationId }: IntegrationPlace) => ({
  project_id: projectId,
  integration_id: integrationId,
});

export function matchersQuery(place: IntegrationPlace) {
  return queryOptions({
    queryKey: projectKey(place.projectId, 'integration-matchers', place.integrationId),
    queryFn: ({ signal }) => call(integrationMatcherRoutes.list, { params: paramsOf(place), signal }),
  });
}

export type PartSave<Input> = { id: number | undefined; input: Input };

export function useSaveMatcher(place: IntegrationPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: PartSave<MatcherInput>): Promise<void> => {
      const body = { ...input, integration_id: place.integrationId };
      if (id === undefined) {
        await call(integrationMatcherRoutes.create, { params: paramsOf(place), body });
        return;
      }
      const params = { ...paramsOf(place), matcher_id: id };
      await call(integrationMatcherRoutes.update, { params, body: { ...body, id } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: matchersQuery(place).queryKey }),
  });
}

export function useMatcherRemoval(place: IntegrationPlace, onRemoved: (matcher: Matcher) => void) {
  const queryClient = useQueryClient();
  const callOf = ({ id }: Matcher) => ({ params: { ...paramsOf(place), matcher_id: id } });
  return useRemoval<Matcher>({
    loadReferences: (matcher) => call(integrationMatcherRoutes.references, callOf(matcher)),
    remove: (matcher) => call(integrationMatcherRoutes.remove, callOf(matcher)),
    onRemoved: (matcher) => {
      void queryClient.invalidateQueries({ queryKey: matchersQuery(place).queryKey });
      onRemoved(matcher);
    },
  });
}

export function valuesQuery(place: IntegrationPlace) {
  return queryOptions({
    queryKey: projectKey(place.projectId, 'integration-values', place.integrationId),
    queryFn: ({ signal }) => call(integrationValueRoutes.list, { params: paramsOf(place), signal }),
  });
}

export function useSaveValue(place: IntegrationPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, input }: PartSave<ExtractedValueInput>): Promise<void> => {
      const body = { ...input, integration_id: place.integrationId };
      if (id === undefined) {
        await call(integrationValueRoutes.create, { params: paramsOf(place), body });
        return;
      }
      const params = { ...paramsOf(place), value_id: id };
      await call(integrationValueRoutes.update, { params, body: { ...body, id } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: valuesQuery(place).queryKey }),
  });
}

export function useValueRemoval(place: IntegrationPlace, onRemoved: (value: ExtractedValue) => void) {
  const queryClient = useQueryClient();
  const callOf = ({ id }: ExtractedValue) => ({ params: { ...paramsOf(place), value_id: id } });
  return useRemoval<ExtractedValue>({
    loadReferences: (value) => call(integrationValueRoutes.references, callOf(value)),
    remove: (value) => call(integrationValueRoutes.remove, callOf(value)),
    onRemoved: (value) => {
      void queryClient.invalidateQueries({ queryKey: valuesQuery(place).queryKey });
      onRemoved(value);
    },
  });
}

/** As many as fit below each other; older ones are asked for by the last id. */
export const deliveriesAtOnce = 20;

export function deliveriesQuery(place: IntegrationPlace, before: number | undefined) {
  const query = { limit: String(deliveriesAtOnce), ...(before === undefined ? {} : { before: String(before) }) };
  return queryOptions({
    queryKey: projectKey(place.projectId, 'deliveries', place.integrationId, query),
    queryFn: ({ signal }) => call(deliveryRoutes.list, { params: paramsOf(place), query, signal }),
  });
}

/** One call with its headers and its body. It never changes. */
export function deliveryQuery(place: IntegrationPlace, deliveryId: number) {
  return queryOptions({
    queryKey: projectKey(place.projectId, 'delivery', place.integrationId, deliveryId),
    queryFn: ({ signal }) =>
      call(deliveryRoutes.get, { params: { ...paramsOf(place), delivery_id: deliveryId }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useReplay(place: IntegrationPlace) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (deliveryId: number) =>
      call(deliveryRoutes.replay, { params: { ...paramsOf(place), delivery_id: deliveryId } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: projectKey(place.projectId, 'deliveries') }),
  });
}
