/**
 * Where the button of a provider leads: the query of the sign-in screen goes with it, so that the way back ends where the
 * visitor wanted to go. A project with premium features, which an address may ask for, is made on a page of its own.
 */
export function writeProviderAddress(base: string, provider: string, search: string): string {
  const query = new URLSearchParams(search);
  query.delete('error');
  if (query.get('new_project') === 'premium') {
    query.delete('new_project');
    query.delete('return');
    query.set('redirect', '/project/premium');
  }
  return `${base}/api/auth/oidc/${encodeURIComponent(provider)}/login${query.size > 0 ? `?${query}` : ''}`;
}
