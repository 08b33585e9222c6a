import { defineConfig } from 'vitest/config';

// No certificates bundle in the children of tests: it costs 50 ms of CPU a start (ARCHITECTURE.md, Measuring).
delete process.env.NODE_EXTRA_CA_CERTS;

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'test/**/*.test.tsx'],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
