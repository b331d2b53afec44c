import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createNotificationGauges } from '../../src/areas/notifications/gauges.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { insertDestination } from '../support/destination-rows.ts'

const HOUR = 3_600_000
// More than any of the gauges counts.
const MANY = 10_500

describe.each(Object.entries(kindsOnDisk))('gauges of notifications on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  const clock = new ManualClock('2026-06-01T12:00:00Z')
  beforeEach(async () => {
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, clock)
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  test('a backlog of one destination does not hide how long another one waits', async () => {
    await addDestination('first', { deliveries: MANY, hoursAgo: 0 })
    await addDestination('last', { deliveries: 1, hoursAgo: 6 })
    expect(await measured('souk_deliveries_delay_seconds')).toBe((6 * HOUR) / 1000)
    expect(await measured('souk_deliveries_pending')).toBe(10_000)
  })

  test('a destination that fails is counted, and does not count as a delay', async () => {
    await addDestination('abandoned', { deliveries: 3, hoursAgo: 200, failures: 40 })
    expect(await measured('souk_deliveries_delay_seconds')).toBe(0)
    await addDestination('working', { deliveries: 2, hoursAgo: 1 })
    expect(await measured('souk_deliveries_delay_seconds')).toBe(HOUR / 1000)
    expect(await measured('souk_destinations_failing')).toBe(1)
  })

  async function measured(name: string): Promise<number | undefined> {
    const gauge = createNotificationGauges({ database, clock }).find((one) => one.name === name)
    return (await gauge?.read())?.[0]?.value
  }

  async function addDestination(name: string, { deliveries = 0, hoursAgo = 0, failures = 0 }): Promise<void> {
    const dueAt = new Date(clock.now().getTime() - hoursAgo * HOUR)
    await insertDestination(database, { applicationId: name, destinationId: name, dueAt, failures, deliveries })
  }
})
