import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimDestinations } from '../../src/areas/notifications/delivery/destination-lease-store.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { insertDestination } from '../support/destination-rows.ts'

const clock = new ManualClock('2026-06-01T12:00:00Z')
const minutesLater = (minutes: number) => new Date(clock.now().getTime() + minutes * 60_000)

describe.each(Object.entries(kindsOnDisk))('due destinations on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  beforeEach(async () => {
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, clock)
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  test('with the same id in two applications are claimed independently', async () => {
    await addDestination('first', 'orders')
    await addDestination('second', 'orders', { dueAt: minutesLater(5), failures: 1 })
    expect(await claim()).toEqual([{ applicationId: 'first', destinationId: 'orders', failures: 0 }])

    const second = { applicationId: 'second', destinationId: 'orders', failures: 1 }
    const later = { now: minutesLater(30), isFailing: true }
    expect(await claim({ ...later, except: [{ applicationId: 'first', destinationId: 'orders' }] })).toEqual([second])
    expect(await claim({ ...later, except: [second] })).toEqual([])
  })

  test('are claimed up to the limit, the longest due first', async () => {
    for (const minutes of [5, 4, 3, 2, 1]) {
      await addDestination('first', `due-${minutes}`, { dueAt: minutesLater(-minutes) })
    }
    const claimed = await claim({ limit: 2 })
    expect(claimed.map(({ destinationId }) => destinationId).sort()).toEqual(['due-4', 'due-5'])
  })

  function claim(options: Partial<Parameters<typeof claimDestinations>[1]> = {}) {
    const defaults = { now: clock.now(), lease: 'L1', leaseEnds: minutesLater(10), limit: 10, except: [] }
    return database.transact((tx) => claimDestinations(tx, { ...defaults, isFailing: false, ...options }))
  }

  const addDestination = (applicationId: string, destinationId: string, { dueAt = clock.now(), failures = 0 } = {}) =>
    insertDestination(database, { applicationId, destinationId, dueAt, failures })
})
