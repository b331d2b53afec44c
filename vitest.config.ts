import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { NODE_COMPILE_CACHE } from './test/support/compile-cache.ts'

// The suite runs on SQLite. In CI, and with TEST_DATABASE=postgres, what uses a database runs on PostgreSQL as well.
const onPostgres = process.env.CI === 'true' || process.env.TEST_DATABASE === 'postgres'

const withConfigsOfTheirOwn = ['cli', 'console', 'dev', 'redirect', 'outages', 'scale', 'year'].map(
  (folder) => `test/${folder}/**`,
)
const usesADatabase = ['test/api/**/*.test.ts']
const sameOnBoth = [
  // Requests that end before they reach the database, or that differ in their connection, host, signature or quota only.
  'test/api/edge/{body-limits,common-mistakes,hostile-connections,not-found,quotas}.test.ts',
  'test/api/edge/{request-signing,unparsed-requests}.test.ts',
  'test/api/dev/{control-plane,queue-port,vendor-hosts}.test.ts',
  // About the one writer of SQLite.
  'test/api/edge/short-transactions.test.ts',
  // Kept in memory, or constant.
  'test/api/dev/requests/**',
  'test/api/dev/{demo-catalog,demo-facts}.test.ts',
  // Other ways to operations that have tests of their own. A year with the vendor's SDK runs on both.
  'test/api/dev/{ctl,ctl-progress,vitest-fixture}.test.ts',
  'test/api/**/conformance.test.ts',
]
const shared = {
  setupFiles: ['test/support/clean-up.ts'],
  globalSetup: ['test/support/postgres-server.ts'],
  // Files share the modules they import: importing the service anew for each file took two thirds of the CPU time.
  isolate: false,
  // A loaded machine is many times slower than an idle one.
  testTimeout: 60_000,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 60_000 } },
}

export default defineConfig({
  test: {
    // One more than cores, because tests of deadlines and leases mostly wait. Vitest's default leaves a core free. The
    // server of PostgreSQL needs CPU too, and its deadlines are in real time.
    maxWorkers: availableParallelism() + (onPostgres ? 0 : 1),
    projects: [
      {
        test: {
          ...shared,
          name: 'sqlite',
          include: ['src/**/*.test.ts', 'console/src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...withConfigsOfTheirOwn],
          env: { NODE_COMPILE_CACHE, SOUK_TEST_DATABASE: 'sqlite' },
        },
      },
      ...(onPostgres
        ? [
            {
              test: {
                ...shared,
                name: 'postgres',
                include: usesADatabase,
                exclude: [...configDefaults.exclude, ...sameOnBoth],
                env: { NODE_COMPILE_CACHE, SOUK_TEST_DATABASE: 'postgres' },
              },
            },
          ]
        : []),
    ],
  },
})
