import { defineConfig } from 'vitest/config';

// One process serves many files (isolate: false), so a test leaves nothing behind: no global, no listener, no timer.
const shared = { environment: 'node', pool: 'forks', isolate: false } as const;

export default defineConfig({
  test: {
    projects: [
      { test: { ...shared, name: 'contract', include: ['packages/contract/src/**/*.test.ts'] } },
      { test: { ...shared, name: 'web', include: ['packages/web/src/**/*.test.{ts,tsx}'] } },
      {
        test: {
          ...shared,
          name: 'server',
          include: ['packages/server/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'runner',
          include: ['packages/runner/src/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      { test: { ...shared, name: 'scripts', include: ['scripts/**/*.test.ts'], testTimeout: 60_000 } },
      { test: { ...shared, name: 'start', include: ['scripts/**/*.story.ts'] } },
      {
        test: {
          ...shared,
          name: 'e2e',
          include: ['e2e/**/*.story.ts'],
          fileParallelism: false,
          testTimeout: 180_000,
          // A screen answers when it has drawn what was asked for, not at once.
          expect: { poll: { timeout: 60_000 } },
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
