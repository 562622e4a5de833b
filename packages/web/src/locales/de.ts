export const de: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./de/*.json', { eager: true, import: 'default' })),
);
