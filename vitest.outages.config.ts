import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Dependencies that go away under running processes, and processes that are killed. Apart from `npm test` because
// outages take real seconds.
const shared = {
  globalSetup: ['test/support/postgres-server.ts', 'test/support/command-bundle.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
}
const crashes = 'test/outages/*-crashes.test.ts'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...shared,
          name: 'crashes',
          include: [crashes],
          maxWorkers: availableParallelism(),
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...shared,
          name: 'outages',
          include: ['test/outages/**/*.test.ts'],
          exclude: [crashes],
          // These measure how long an answer takes.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
