export const nl: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./nl/*.json', { eager: true, import: 'default' })),
);
