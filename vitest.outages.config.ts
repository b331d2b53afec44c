import { defineConfig } from 'vitest/config'

// Dependencies that go away under running processes, and processes that are killed. Apart from `npm test` because outages take real seconds, and one
// file after another because they measure how long an answer takes.
export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres-server.ts', 'test/support/command-bundle.ts'],
    include: ['test/outages/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
