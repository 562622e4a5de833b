export const ptBr: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./pt_br/*.json', { eager: true, import: 'default' })),
);
