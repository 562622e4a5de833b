export const zhTw: Record<string, string> = Object.assign(
  {},
  ...Object.values(import.meta.glob('./zh_tw/*.json', { eager: true, import: 'default' })),
);
