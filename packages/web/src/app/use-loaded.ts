import { type ComponentType, useEffect, useState } from 'react';
import { workAtLeisure } from '../lib/leisure.ts';

type Loaded<P> = { component: ComponentType<P> } | { error: unknown };

/**
 * A component of its own chunk: fetched at once when it is wanted, else at leisure. React's own way for this waits for 300 ms
 * before it shows what has arrived, and a log should be there at once. @throws what the loading throws, while drawing
 */
export function useLoaded<P>(load: () => Promise<ComponentType<P>>, isWanted: boolean): ComponentType<P> | undefined {
  const [loaded, setLoaded] = useState<Loaded<P>>();
  useEffect(() => {
    const fetchNow = (): Promise<void> =>
      load().then(
        (component) => setLoaded({ component }),
        (error: unknown) => {
          if (isWanted) setLoaded({ error });
        },
      );
    if (!isWanted) return workAtLeisure([fetchNow], 0);
    void fetchNow();
    return undefined;
  }, [load, isWanted]);
  if (loaded === undefined) return undefined;
  if ('error' in loaded) throw loaded.error;
  return loaded.component;
}
