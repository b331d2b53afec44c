import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { createJobFixture, deferred, handler, type JobFixture, recordName, writeEffect } from '../support/jobs.ts'
import { waitFor } from '../support/wait-for.ts'

const SECOND = 1000
const db = queryBuilder<{ effects: { effect: string } }>()

describe.each(Object.entries(kindsOnDisk))('jobs with a key on %s', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  const inSeconds = (seconds: number) => new Date(workshop.clock.now().getTime() + seconds * SECOND)
  const enqueue = (key: string, seconds: number, kind = 'note') =>
    workshop.enqueue({ kind, key, payload: { name: key }, runAt: inSeconds(seconds) })
  const times = async () => (await workshop.jobs()).map(({ run_at }) => run_at)

  test('one job exists per kind and key, and runs at the earliest time', async () => {
    for (const seconds of [30, 10, 20]) await enqueue('lamp', seconds)
    expect(await times()).toEqual([inSeconds(10).toISOString()])
  })

  test('another key or kind is another job', async () => {
    await enqueue('lamp', 10)
    await enqueue('shoe', 10)
    await enqueue('lamp', 10, 'other')
    expect(await times()).toHaveLength(3)
  })

  test('after it has run, another job with the same key runs', async () => {
    const runner = workshop.startRunner({ note: recordName })
    for (let round = 0; round < 2; round++) {
      await enqueue('lamp', 0)
      await runner.idle()
    }
    expect(await workshop.effects()).toEqual(['lamp', 'lamp'])
  })

  test('a job may enqueue a job with its own key', async () => {
    let rounds = 0
    const again = handler(({ name }, { finish }) =>
      finish(async (tx) => {
        await writeEffect(tx, `${name} ${++rounds}`)
        if (rounds < 3)
          await workshop.queue.enqueue(tx, { kind: 'again', key: name, payload: { name }, runAt: inSeconds(0) })
      }),
    )
    const runner = workshop.startRunner({ again })
    await enqueue('lamp', 0, 'again')
    await runner.idle()
    expect(await workshop.effects()).toEqual(['lamp 1', 'lamp 2', 'lamp 3'])
    expect(await workshop.jobs()).toEqual([])
  })

  test('a running job keeps its lease', async () => {
    const [started, mayEnd] = [deferred(), deferred()]
    const slow = handler(async ({ name }, { finish }) => {
      started.resolve()
      await mayEnd.promise
      await finish((tx) => writeEffect(tx, name))
    })
    const runner = workshop.startRunner({ slow })
    await enqueue('lamp', 0, 'slow')
    runner.wake()
    await started.promise
    const [leased] = await workshop.jobs()
    await enqueue('lamp', 0, 'slow')
    expect(await workshop.jobs()).toEqual([leased])
    mayEnd.resolve()
    await runner.idle()
    expect(await workshop.effects()).toEqual(['lamp'])
  })

  test('a change written while the job finishes is processed', async () => {
    const [started, mayEnd] = [deferred(), deferred()]
    let seen: string[] = []
    const look = handler(async (_, { finish }) => {
      started.resolve()
      await mayEnd.promise
      await finish(async (tx) => {
        seen = (await tx.all(db.selectFrom('effects').selectAll())).map(({ effect }) => effect)
      })
    })
    const runner = workshop.startRunner({ look })
    await enqueue('lamp', 0, 'look')
    runner.wake()
    await started.promise
    await workshop.database.transact(async (tx) => {
      await writeEffect(tx, 'changed')
      await workshop.queue.enqueue(tx, { kind: 'look', key: 'lamp', payload: {}, runAt: inSeconds(0) })
      mayEnd.resolve()
      await endIsBlocked()
    })
    await runner.idle()
    expect(seen).toEqual(['changed'])
    expect(await workshop.jobs()).toEqual([])
  })

  /** SQLite has one writer at a time anyway. */
  async function endIsBlocked(): Promise<void> {
    if (workshop.database.dialect === 'sqlite') return setImmediate()
    const blocked = db
      .selectFrom(sql<{ pid: number }>`pg_locks`.as('lock'))
      .select('pid')
      .where(sql`granted`, '=', false)
    await waitFor(
      () => workshop.database.read((reader) => reader.first(blocked)),
      (lock) => lock !== undefined,
    )
  }
})
