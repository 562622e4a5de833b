export const it: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./it/*.json', { eager: true, import: 'default' })),
);
