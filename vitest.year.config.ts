import { defineConfig } from 'vitest/config'

// A seller's year on both databases. Apart from `npm test` because a year has a thousand requests.
const project = (name: 'sqlite' | 'postgres') => ({
  test: {
    name,
    setupFiles: ['test/support/clean-up.ts'],
    globalSetup: ['test/support/postgres-server.ts'],
    include: ['test/year/**/*.test.ts'],
    testTimeout: 60_000,
    // The year itself. A loaded machine is many times slower than an idle one.
    hookTimeout: 600_000,
    env: { SOUK_TEST_DATABASE: name },
  },
})

export default defineConfig({ test: { projects: [project('sqlite'), project('postgres')] } })
