/** How long a new token is good for: a number of days, a day of the person's choice, or no end. */
export type TokenLife = '7' | '30' | '90' | '365' | 'date' | 'never';

const DAY_MS = 86_400_000;

/** The moment at which the token ends, as it travels; a chosen day is good to its end where the person is. */
export function readExpiry(life: TokenLife, date: string, now: number): string | null {
  if (life === 'never') return null;
  if (life !== 'date') return new Date(now + Number(life) * DAY_MS).toISOString();
  const end = new Date(`${date}T23:59:59.999`);
  return Number.isNaN(end.getTime()) ? null : end.toISOString();
}

/** Whether a day can be the last one of a token. */
export function isDayAhead(date: string, now: number): boolean {
  const end = new Date(`${date}T23:59:59.999`).getTime();
  return !Number.isNaN(end) && end > now;
}
