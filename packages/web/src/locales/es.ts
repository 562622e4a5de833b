export const es: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./es/*.json', { eager: true, import: 'default' })),
);
