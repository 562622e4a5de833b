import { expect, test } from 'vitest';
import { writeProviderAddress } from './provider-address.ts';

test('the query of the sign-in screen goes with the visitor to the provider, without an old failure', () => {
  expect(writeProviderAddress('/ops', 'my id', '?t=5&return=%2Fproject%2F1&error=sso_denied')).toBe(
    '/ops/api/auth/oidc/my%20id/login?t=5&return=%2Fproject%2F1',
  );
  expect(writeProviderAddress('', 'acme', '')).toBe('/api/auth/oidc/acme/login');
});

test('a wish for a premium project becomes the way back to its page', () => {
  expect(writeProviderAddress('', 'acme', '?new_project=premium&t=5')).toBe(
    '/api/auth/oidc/acme/login?t=5&redirect=%2Fproject%2Fpremium',
  );
  expect(writeProviderAddress('', 'acme', '?new_project=yes')).toBe('/api/auth/oidc/acme/login?new_project=yes');
});
