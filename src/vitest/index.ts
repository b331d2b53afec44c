import { test as base, expect, type TestAPI } from 'vitest'
import { type Readings, type Souk, type SoukOptions, startSouk } from '../index.ts'

export { expect }

export interface SoukTestOptions extends SoukOptions {
  /**
   * Runs once in each worker of Vitest. Each test then starts with the state and the readings that it leaves, instead
   * of a new marketplace. Each test starts without fault rules.
   */
  prepare?: (souk: Souk) => Promise<void>
}

interface Fixtures {
  $test: { souk: Souk }
  $worker: { soukOfWorker: Souk }
}

// Tests may have snapshots of their own.
const PREPARED = 'souk-vitest-prepared'

/**
 * A `test` whose tests get a marketplace: `test('...', async ({ souk }) => ...)`. It starts with the first test that
 * uses it, one for each worker of Vitest, and is reset before each test. Concurrent tests get a fork each. The options
 * are those of `startSouk`, with quotas off by default.
 */
export function createSoukTest({ prepare, ...options }: SoukTestOptions = {}): TestAPI<{ souk: Souk }> {
  let prepared: Readings | undefined
  const start = async () => {
    const souk = await startSouk({ rates: 'off', ...options })
    try {
      await prepare?.(souk)
      if (prepare) {
        prepared = souk.readings.current()
        // Work that a rule holds would be held for good in the snapshot.
        await souk.faults.clear()
        await souk.snapshot(PREPARED)
      }
    } catch (error) {
      await souk.stop()
      throw error
    }
    return souk
  }
  const renew = async (souk: Souk) => {
    // A client that all tests of a file use has a token of its own.
    if (!prepared) return souk.reset({ keepTokens: true })
    // A restore keeps rules and readings. It waits for running requests, which a rule may delay.
    await souk.faults.clear()
    await souk.restore(PREPARED, { keepTokens: true })
    souk.readings.change(prepared)
  }
  const fork = async (souk: Souk) => {
    const copy = await souk.fork(prepared && { snapshot: PREPARED })
    if (prepared) copy.readings.change(prepared)
    else await copy.reset()
    return copy
  }

  return base.extend<Fixtures>({
    soukOfWorker: [
      // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures that it uses from the pattern.
      async ({}, use) => {
        const souk = await start()
        await use(souk)
        await souk.stop()
      },
      { scope: 'worker' },
    ],
    souk: async ({ soukOfWorker, task }, use) => {
      if (!task.concurrent) {
        await renew(soukOfWorker)
        return use(soukOfWorker)
      }
      const own = await fork(soukOfWorker)
      await use(own)
      await own.stop()
    },
  }) as unknown as TestAPI<{ souk: Souk }>
}

/** With the default options. */
export const test = createSoukTest()
