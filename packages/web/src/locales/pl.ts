export const pl: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./pl/*.json', { eager: true, import: 'default' })),
);
