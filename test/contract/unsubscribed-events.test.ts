import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFanOut } from '../../src/areas/notifications/fan-out/fan-out.ts'
import { createNotificationGauges } from '../../src/areas/notifications/gauges.ts'
import { migrateDatabase } from '../../src/composition/migrations.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { RandomIds } from '../../src/platform/ids/random-ids.ts'
import { createOutbox } from '../../src/platform/outbox/outbox.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { expanders, orderChange } from '../support/relay.ts'

const SECOND = 1_000
// More than one step deletes.
const MANY = 6_000

describe.each(Object.entries(kindsOnDisk))('events without any subscription on %s', (_kind, open) => {
  let database: Database
  let discard: () => void
  let clock: ManualClock
  beforeEach(async () => {
    clock = new ManualClock('2026-06-01T12:00:00Z')
    ;({ database, discard } = await open({ hasSchema: true }))
    await migrateDatabase(database, clock)
  })
  afterEach(async () => {
    await database.close()
    discard()
  })

  test('are deleted when no subscription that is being created can be older', async () => {
    await append(2)
    clock.advance(50 * SECOND)
    await append(1)
    expect(await fanOut()).toBe(Number.POSITIVE_INFINITY)
    expect(await measured('souk_events_waiting')).toBe(3)
    clock.advance(30 * SECOND)
    await fanOut()
    expect(await measured('souk_events_waiting')).toBe(1)
    expect(await measured('souk_events_delay_seconds')).toBe(30)
  })

  test('keep no destination waiting while many of them are deleted', async () => {
    await append(MANY)
    clock.advance(120 * SECOND)
    const left: (number | undefined)[] = []
    await fanOut(async () => left.push(await measured('souk_events_waiting')))
    expect(left.length).toBeGreaterThan(1)
    expect(left.at(-1)).toBe(0)
  })

  async function append(count: number): Promise<void> {
    const outbox = createOutbox(new RandomIds())
    // Events of one seller would share rows.
    const events = Array.from({ length: count }, (_, index) => orderChange(`seller-${index}`, clock.now(), index))
    await database.transact((tx) => outbox.append(tx, events))
  }

  function fanOut(afterRound: () => Promise<unknown> = async () => {}): Promise<number> {
    const logger = pino({ enabled: false })
    const run = createFanOut({ database, clock, ids: new RandomIds(), logger, leaseSeconds: 30, expanders })
    return run(new AbortController().signal, afterRound)
  }

  async function measured(name: string): Promise<number | undefined> {
    const gauge = createNotificationGauges({ database, clock }).find((one) => one.name === name)
    return (await gauge?.read())?.[0]?.value
  }
})
