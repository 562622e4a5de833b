import type { Configuration } from 'openid-client';
import type { OidcProviderSettings } from '../config-oidc.ts';

/** After this long what a provider says about itself is asked for again: addresses change, if seldom. */
const maxAgeMs = 3_600_000;

export type FindConfiguration = (provider: OidcProviderSettings) => Promise<Configuration>;

/** Looks up what providers say about themselves, each at most once an hour. A failure is not kept. */
export function keepConfigurations(): FindConfiguration {
  const kept = new Map<string, { since: number; found: Promise<Configuration> }>();
  return (provider) => {
    const known = kept.get(provider.id);
    if (known !== undefined && known.since > Date.now() - maxAgeMs) return known.found;
    const entry = { since: Date.now(), found: find(provider) };
    kept.set(provider.id, entry);
    entry.found.catch(() => {
      if (kept.get(provider.id) === entry) kept.delete(provider.id);
    });
    return entry.found;
  };
}

async function find(provider: OidcProviderSettings): Promise<Configuration> {
  // Most installations have no provider: the library is loaded for the first who signs in with one.
  const { findConfiguration } = await import('./oidc-discovery.ts');
  return findConfiguration(provider);
}
