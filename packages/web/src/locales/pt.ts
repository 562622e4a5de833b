export const pt: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./pt/*.json', { eager: true, import: 'default' })),
);
