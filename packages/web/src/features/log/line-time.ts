import { currentLocale } from '../../lib/i18n.ts';

let formatter: { locale: string; format: Intl.DateTimeFormat } | undefined;

/** Time of day to the millisecond, for the column of times. */
export function formatLineTime(ms: number): string {
  const locale = currentLocale();
  if (formatter?.locale !== locale) {
    formatter = {
      locale,
      format: new Intl.DateTimeFormat(locale, {
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        fractionalSecondDigits: 3,
        hourCycle: 'h23',
      }),
    };
  }
  return formatter.format.format(ms);
}
