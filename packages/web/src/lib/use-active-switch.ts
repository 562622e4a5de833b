import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';

type Switchable = { id: string | number; active: boolean };
type ActiveSwitch<Row extends Switchable> = {
  /** The list that shows the rows. */
  queryKey: QueryKey;
  send: (change: { row: Row; active: boolean }) => Promise<unknown>;
  /** Says why the switch has gone back. */
  onRefused: (error: unknown) => void;
};

/** Switches a row of a list: at once on the screen, and back where the server refuses. */
export function useActiveSwitch<Row extends Switchable>({ queryKey, send, onRefused }: ActiveSwitch<Row>) {
  const queryClient = useQueryClient();
  const show = (id: string | number, active: boolean): void => {
    queryClient.setQueryData<Row[]>(queryKey, (rows) => rows?.map((row) => (row.id === id ? { ...row, active } : row)));
  };
  const change = useMutation({
    mutationKey: [...queryKey, 'active'],
    mutationFn: send,
    onMutate: async ({ row, active }) => {
      // An answer that is on its way would show what was before.
      await queryClient.cancelQueries({ queryKey });
      show(row.id, active);
    },
    onError: (error, { row, active }) => {
      show(row.id, !active);
      onRefused(error);
    },
    onSettled: () => {
      // The last one of several fetches, or the answer to the first would undo the others for a moment.
      if (queryClient.isMutating({ mutationKey: [...queryKey, 'active'] }) > 1) return;
      void queryClient.invalidateQueries({ queryKey });
    },
  });
  return (row: Row, active: boolean): void => change.mutate({ row, active });
}
