export const ru: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./ru/*.json', { eager: true, import: 'default' })),
);
