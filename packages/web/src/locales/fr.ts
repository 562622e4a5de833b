export const fr: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./fr/*.json', { eager: true, import: 'default' })),
);
