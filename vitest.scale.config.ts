import { defineConfig } from 'vitest/config'

// Marketplaces that have grown. Apart from `npm test` because filling their tables takes long, and one file after
// another because they measure how long others wait.
export default defineConfig({
  test: {
    globalSetup: ['test/support/postgres-server.ts', 'test/support/command-bundle.ts'],
    include: ['test/scale/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
  },
})
