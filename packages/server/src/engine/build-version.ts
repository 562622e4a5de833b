/**
 * The version of the next build of a template. The last run of digits in the start version counts up; what stands before and
 * after it must be the same in the version of the build before, else the count begins anew.
 */
export function nextBuildVersion(start: string, previous: string | null): string {
  if (!previous) return start;
  const [, prefix = '', digits, suffix = ''] = /^(|.*\D)(\d+)(\D*)$/s.exec(start) ?? [];
  if (digits === undefined) return start;
  if (!previous.startsWith(prefix) || !previous.endsWith(suffix)) return start;
  const middle = previous.slice(prefix.length, previous.length - suffix.length);
  if (!/^\d+$/.test(middle)) return start;
  // BigInt: a date with a time of day as version (20261121130059123) is longer than a number is exact.
  const current = BigInt(middle);
  const first = BigInt(digits);
  return `${prefix}${first > current ? first : current + 1n}${suffix}`;
}
