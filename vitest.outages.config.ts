import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// Dependencies that go away under running processes, and processes that are killed. Apart from `npm test` because
// outages take real seconds.
const shared = {
  setupFiles: ['test/support/clean-up.ts'],
  globalSetup: ['test/support/postgres-server.ts', 'test/support/command-bundle.ts'],
  // A loaded machine is many times slower than an idle one.
  testTimeout: 180_000,
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
          // They mostly wait. Those that measure how long a response takes have bounds for a busy machine.
          maxWorkers: availableParallelism() + 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
})
