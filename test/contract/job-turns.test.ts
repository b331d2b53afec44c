import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { findDueJobs, Turns } from '../../src/platform/jobs/fair-claims.ts'
import { claimJobs, insertJob } from '../../src/platform/jobs/store.ts'
import { kindsOnDisk } from '../support/databases.ts'
import { createJobFixture, type JobFixture } from '../support/jobs.ts'

const DAY = 24 * 60 * 60 * 1000
const kinds = ['note']

describe.each(Object.entries(kindsOnDisk))('turns of sellers on %s', (_kind, open) => {
  let workshop: JobFixture
  beforeEach(async () => {
    workshop = await createJobFixture(open)
  })
  afterEach(() => workshop.close())

  const nameOf = (number: number) => `A${String(number).padStart(4, '0')}`

  /** Enqueues jobs, each with the id of its owner, or a number if it has none. */
  const enqueue = (jobs: readonly { id: string; owner?: string; isLater?: boolean }[]) =>
    workshop.database.transact(async (tx) => {
      const now = workshop.clock.now()
      const later = new Date(now.getTime() + DAY)
      for (const { isLater, ...job } of jobs) {
        await insertJob(tx, { kind: 'note', payload: {}, runAt: isLater ? later : now, ...job })
      }
    })

  /** The ids of the jobs that a worker claims one by one. */
  async function claim(times: number, turns = new Turns()): Promise<string[]> {
    const { database, clock } = workshop
    const now = clock.now()
    const ids: string[] = []
    await database.transact(async (tx) => {
      for (let time = 0; time < times; time++) {
        const leaseEnds = new Date(now.getTime() + DAY)
        const what = { now, limit: 1, kinds, except: [], turns, lease: 'lease', leaseEnds }
        ids.push(...(await claimJobs(tx, database.dialect, what)).map(({ id }) => id))
      }
    })
    return ids
  }

  test('a seller among a thousand with jobs for later has its turn beside many jobs without a seller, one job at a time', async () => {
    const sellers = Array.from({ length: 1_000 }, (_, number) => nameOf(number))
    const due = [nameOf(499), nameOf(750)]
    await enqueue(Array.from({ length: 300 }, (_, number) => ({ id: `0-${number}` })))
    await enqueue(sellers.map((owner) => ({ id: `later-${owner}`, owner, isLater: true })))
    await enqueue(due.map((owner) => ({ id: owner, owner })))
    const claimed = await claim(40)
    expect(claimed).toEqual(expect.arrayContaining(due))
    expect(claimed.filter((id) => id.startsWith('0-'))).toHaveLength(40 - due.length)
  })

  test('more sellers than a worker keeps in mind all have a turn before one has its second', async () => {
    const sellers = Array.from({ length: 1_100 }, (_, number) => nameOf(number))
    await enqueue([0, 1].flatMap((round) => sellers.map((owner) => ({ id: `${owner}-${round}`, owner }))))
    const turns = new Turns()
    const { database, clock } = workshop
    const seen = new Map<string, number>()
    await database.transact(async (tx) => {
      while (seen.size < sellers.length) {
        const ids = await findDueJobs(tx, { now: clock.now(), limit: 50, kinds, except: [], turns })
        for (const id of ids) seen.set(id.slice(0, 5), (seen.get(id.slice(0, 5)) ?? 0) + 1)
        expect(Math.max(...seen.values())).toBe(1)
      }
    })
  })

  test('two sellers share a worker equally, however many others have jobs for later', async () => {
    const sellers = Array.from({ length: 700 }, (_, number) => nameOf(number))
    const [many, few] = [nameOf(10), nameOf(600)]
    await enqueue(sellers.map((owner) => ({ id: `later-${owner}`, owner, isLater: true })))
    await enqueue(Array.from({ length: 300 }, (_, number) => ({ id: `0 many ${number}`, owner: many })))
    await enqueue(Array.from({ length: 20 }, (_, number) => ({ id: `1 few ${number}`, owner: few })))
    const claimed = await claim(50)
    expect(claimed.filter((id) => id.startsWith('1 few'))).toHaveLength(20)
  })
})
