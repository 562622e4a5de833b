/** Path under which the console is served, without a slash at the end: empty at the root of a host. */
export function readBasePath(baseUri: string = document.baseURI): string {
  return new URL(baseUri).pathname.replace(/[^/]*$/, '').replace(/\/+$/, '');
}
