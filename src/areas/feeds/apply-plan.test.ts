import { expect, test } from 'vitest'
import type { Transaction } from '../../platform/database/port.ts'
import type { EffectOptions, JobContext } from '../../platform/jobs/port.ts'
import { applyPlan } from './apply-plan.ts'
import type { Feed } from './feed.ts'
import type { FeedPlan } from './processing/processor.ts'

const NONE = { applied: 0, accepted: 0, invalid: 0, errors: 0, warnings: 0 }
const feed = { sellerId: 'S1', feedId: 'F1', progress: NONE } as Feed
const tx = { dialect: 'sqlite', runEach: async () => {} } as unknown as Transaction

/** What becomes of an attempt of a transaction, after its effect. */
type Outcome = 'commit' | 'conflict' | Error

/** Applies six messages in steps of two, and records what happens. */
async function apply({
  preparesAhead = true,
  outcomes = [],
  prepare = () => {},
}: {
  preparesAhead?: boolean
  /** Of the attempts that reach their end, in order. Default: all commit. */
  outcomes?: Outcome[]
  prepare?(first: number): void
}) {
  const events: string[] = []
  const plan: FeedPlan = {
    messages: 6,
    messagesPerStep: 2,
    preparesAhead,
    async prepare(_, first, count) {
      prepare(first)
      events.push(`prepare ${first}`)
      return {
        async write() {
          events.push(`write ${first}`)
          return Array.from({ length: count }, () => ({ isAccepted: true, issues: [] }))
        },
      }
    },
    writeResult: () => {
      throw new Error('not used')
    },
  }
  const checkpoint: JobContext['checkpoint'] = async (effect, { lockFirst, onRetry }: EffectOptions = {}) => {
    for (;;) {
      await lockFirst?.(tx)
      await effect(tx)
      // The server takes its time: whatever the process can do meanwhile, it does.
      await new Promise(setImmediate)
      const outcome = outcomes.shift() ?? 'commit'
      events.push(outcome instanceof Error ? 'fail' : outcome)
      if (outcome === 'commit') return
      if (outcome instanceof Error) throw outcome
      onRetry?.()
    }
  }
  const error = await applyPlan(feed, plan, { checkpoint }).catch((thrown: unknown) => thrown)
  await new Promise(setImmediate)
  return { events, error }
}

test('a step is prepared while the one before it is being committed, and written afterwards', async () => {
  expect(await apply({})).toEqual({
    error: undefined,
    events: [
      ...['prepare 0', 'write 0'],
      ...['prepare 2', 'commit', 'write 2'],
      ...['prepare 4', 'commit', 'write 4', 'commit'],
    ],
  })
})

test('without this, a step begins after the one before it', async () => {
  const { events } = await apply({ preparesAhead: false })
  const each = [0, 2, 4].flatMap((first) => [`prepare ${first}`, `write ${first}`, 'commit'])
  expect(events).toEqual(each)
})

test('a step that conflicts is repeated with fewer messages, and the one after it is prepared again', async () => {
  const { events, error } = await apply({ outcomes: ['commit', 'conflict'] })
  expect(error).toBeUndefined()
  expect(events.slice(events.indexOf('conflict'))).toEqual([
    ...['conflict', 'prepare 2', 'write 2'],
    ...['prepare 3', 'commit', 'write 3'],
    ...['prepare 4', 'commit', 'write 4'],
    ...['prepare 5', 'commit', 'write 5', 'commit'],
  ])
  expect(events.slice(0, events.indexOf('conflict'))).toContain('prepare 4')
})

test('nothing is written after a step that failed', async () => {
  const failure = new Error('The disk is full')
  const { events, error } = await apply({ outcomes: ['commit', failure] })
  expect(error).toBe(failure)
  expect(events.at(-1)).toBe('fail')
  expect(events).toContain('prepare 4')
  expect(events).not.toContain('write 4')
})

test('a step that fails before its turn is repeated in its turn', async () => {
  let failures = 0
  const { events, error } = await apply({
    prepare(first) {
      if (first === 2 && failures++ === 0) throw new Error('lock timeout')
    },
  })
  expect(error).toBeUndefined()
  expect(events.filter((event) => event.startsWith('write'))).toEqual(['write 0', 'write 2', 'write 4'])
})

test('a step that fails in its turn fails the feed', async () => {
  const failure = new Error('no place')
  const { events, error } = await apply({
    prepare(first) {
      if (first === 2) throw failure
    },
  })
  expect(error).toBe(failure)
  expect(events).toEqual(['prepare 0', 'write 0', 'commit'])
})
