import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database, Reader } from '../../src/platform/database/port.ts'
import { APPLICATIONS, type BundledChanges, openBundledChanges } from '../support/bundled-changes.ts'
import { insertPendingDeliveries } from '../support/destination-rows.ts'
import { AGGREGATION } from '../support/subscribers.ts'

const AGGREGATION_MILLISECONDS = 5 * 60_000
const LONGEST_FIRST_BACKOFF = 1_000
const STEADY_REQUESTS = 20

const refuse = () => Promise.reject(new Error('The queue is broken'))

describe('notifications on PostgreSQL, stored together or one by one,', () => {
  let changes: BundledChanges
  beforeEach(async () => {
    changes = await openBundledChanges()
  })
  afterEach(() => changes.close())

  test('keep their order if their destination fails before more are written', async () => {
    const { store, work, received, toEach } = changes
    await store([1, 2])
    await setFailures(1)
    await store([3])
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2, 3]))
  })

  test('keep their order if an aggregation period ends before they are sent', async () => {
    const { store, work, received, toEach, execute, clock } = changes
    await execute(`update subscriptions set directive = '${JSON.stringify(AGGREGATION)}'`)
    await store([1, 2])
    clock.advance(AGGREGATION_MILLISECONDS)
    const sent = await work()
    for (const application of APPLICATIONS) expect(received(sent, application)).toEqual(toEach([1, 2]))
  })

  test('keep their order if some are committed after a failure that was recorded meanwhile', async () => {
    const { store, work, received, toEach, begin, waitForLock, clock } = changes
    await store([1])
    // The step that stores the second change has found no failure, and waits for the row of the first destination.
    const unlock = await begin("select 1 from delivery_turns where application_id = 'one' for update")
    const late = store([2])
    await waitForLock()
    await work({ accept: refuse })
    clock.advance(LONGEST_FIRST_BACKOFF)
    const sent = await work({
      accept: once(async () => {
        await unlock()
        await late
        await store([3])
      }),
    })
    expect(received(sent, 'two')).toEqual(toEach([1, 2, 3]))
  })

  test.each([1, 2, 3])('keep their order if more are committed before statement %i of a worker', async (number) => {
    const { database, store, work, received, toEach } = changes
    await storeOne('one')
    await sendNow('one')
    const storeMore = once(async () => {
      // As a step that began before the destination accepted messages again, and one that began after.
      await setFailures(1)
      await store([1])
      await setFailures(0)
      await store([2])
    })
    let statements = 0
    const watched = withEachRead(database, async () => {
      if (++statements === number) await storeMore()
    })
    const sent = await work({ database: watched })
    expect(received(sent, 'one')).toEqual(toEach([1, 2]))
  })

  test('do not wait for the end of a steady flow of those that are stored one by one', async () => {
    const { store, work } = changes
    await store([1])
    const types: string[] = []
    await storeOne('one')
    await work({
      accept: async (messages) => {
        const own = messages.filter(({ origin }) => origin?.applicationId === 'one')
        types.push(...own.map(({ type }) => type))
        if (own.length > 0 && types.length < STEADY_REQUESTS) await storeOne('one')
      },
    })
    expect(types.length).toBeGreaterThanOrEqual(STEADY_REQUESTS)
    expect(types.lastIndexOf('CHANGE')).toBeLessThan(STEADY_REQUESTS / 2)
  })

  /** Stores a notification that is of no bundle. */
  const storeOne = (applicationId: string) => {
    const { database, clock } = changes
    const key = { applicationId, destinationId: `destination of ${applicationId}` }
    return insertPendingDeliveries(database, { ...key, dueAt: clock.now() }, 1)
  }

  const sendNow = (application: string) =>
    changes.execute(`insert into delivery_turns (application_id, destination_id, due_at, failures)
      values ('${application}', 'destination of ${application}', '${changes.clock.now().toISOString()}', 0)`)

  const setFailures = (failures: number) => changes.execute(`update delivery_turns set failures = ${failures}`)
})

/** The work runs with the first call, and further calls wait for it. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

/** The database, with something done before each statement that reads what is due for a destination. */
function withEachRead(database: Database, before: () => Promise<void>): Database {
  const watch = (reader: Reader): Reader =>
    new Proxy(reader, {
      get(target, name: keyof Reader) {
        if (name === 'dialect') return target.dialect
        if (name === 'first') return target.first.bind(target)
        return async (query: never, params: { destinationId?: string }) => {
          if (params?.destinationId !== undefined) await before()
          return target.all(query, params as never)
        }
      },
    })
  return new Proxy(database, {
    get(target, name: keyof Database) {
      const value = target[name]
      if (name === 'read')
        return (work: (reader: Reader) => unknown) => target.read(async (reader) => work(watch(reader)))
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
