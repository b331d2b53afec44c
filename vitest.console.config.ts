import { defineConfig } from 'vitest/config'

// The console in a real browser. Apart from `npm test`, because a browser takes longer to start than most tests to run.
export default defineConfig({
  test: {
    setupFiles: ['test/support/clean-up.ts'],
    globalSetup: [
      'test/console/support/console-build.ts',
      'test/support/postgres-server.ts',
      'test/support/command-bundle.ts',
    ],
    include: ['test/console/**/*.test.ts'],
    // One browser at a time: pages that compete for the processor are slow, and then time out.
    maxWorkers: 1,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
