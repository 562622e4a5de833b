export const zhCn: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./zh_cn/*.json', { eager: true, import: 'default' })),
);
