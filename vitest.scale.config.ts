import { defineConfig } from 'vitest/config'

// Marketplaces that have grown. Apart from `npm test` because filling their tables takes long, and one file after
// another because they measure how long others wait.
export default defineConfig({
  test: {
    setupFiles: ['test/support/clean-up.ts'],
    globalSetup: ['test/support/postgres-server.ts'],
    include: ['test/scale/**/*.test.ts'],
    fileParallelism: false,
    // Steps are short where commits are slow, so a busy machine takes many times as long as an idle one.
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
})
