import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

// The commands as users start them, and other programs against them. Apart from `npm test`, because starting a process
// takes a hundred times as long as a request.
export default defineConfig({
  test: {
    setupFiles: ['test/support/clean-up.ts'],
    globalSetup: ['test/support/postgres-server.ts', 'test/support/command-bundle.ts'],
    include: ['test/cli/**/*.test.ts', 'test/dev/**/*.test.ts', 'test/redirect/**/*.test.ts'],
    maxWorkers: availableParallelism(),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
