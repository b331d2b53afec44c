import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// Dependencies that go away under running processes, and processes that are killed. Apart from `npm test` because
// outages take real seconds.
const shared = {
  setupFiles: ['test/support/clean-up.ts'],
  globalSetup: ['test/support/postgres-server.ts', 'test/support/command-bundle.ts'],
  // A loaded machine is many times slower than an idle one.
  testTimeout: 180_000,
  hookTimeout: 60_000,
}

/** The longest tests first, so that none is left alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('-under-load.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

const crashes = 'test/outages/*-crashes.test.ts'

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
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
