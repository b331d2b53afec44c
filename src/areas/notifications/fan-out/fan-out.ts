import type { Dialect } from '../../../platform/database/dialect.ts'
import type { Reader } from '../../../platform/database/port.ts'
import { type RowLimits, StepSize, writeStep } from '../../../platform/database/step-size.ts'
import { OutdatedExpansionError } from '../../../platform/outbox/expander.ts'
import { deleteEventsBefore, findShardsWithEvents, readEvents } from '../../../platform/outbox/outbox.ts'
import { UnconfirmedLeases } from '../../../platform/unreturned-leases.ts'
import { findOldestSubscriptionTime } from '../subscriptions/subscription-store.ts'
import { fanOutNewEvents } from './distribution.ts'
import { FilterWork } from './filter-work.ts'
import {
  ALL_EVENTS,
  claimFanOut,
  findUnclaimed,
  type HeldLeases,
  LeaseLostError,
  leaseNameOf,
  releaseFanOut,
  renewFanOut,
  returnFanOut,
  shardOf,
} from './lease.ts'
import { planDeliveries, writeDeliveries } from './planned-deliveries.ts'
import {
  createFilterFailureLogger,
  type FanOutDependencies,
  type FanOutRun,
  isTransient,
  READ_COMMITTED,
  toFailure,
} from './run.ts'
import { type Progress, planStep } from './step.ts'
import {
  advanceFanOut,
  type FanOut,
  failFanOut,
  findDueFanOuts,
  findShardsWithFanOuts,
  nextFanOutDueAt,
  removeFanOut,
} from './store.ts'

// An event with more subscribers than a step takes several, which costs more than a longer step.
const DELIVERIES_PER_STEP: Record<Dialect, RowLimits> = {
  sqlite: { min: 10, max: 250 },
  postgres: { min: 250, max: 1_000 },
}
const BYTES_PER_STEP: Record<Dialect, number> = { sqlite: 512 * 1024, postgres: 4 * 1024 * 1024 }
// There may be many. On PostgreSQL nothing waits for them.
const UNSUBSCRIBED_EVENTS_PER_STEP: Record<Dialect, RowLimits> = {
  sqlite: { min: 10, max: 1_000 },
  postgres: { min: 5_000, max: 5_000 },
}
// Longer than any transaction, because a subscription that is being created is as old as its transaction.
const UNSUBSCRIBED_KEPT_MILLISECONDS = 60_000
const FAN_OUTS_PER_ROUND = 4
const MAX_LEASE_SECONDS = 10
const CLAIM_RETRY_MILLISECONDS = 100
/**
 * A relay claims this part of the free shards, up to four of 16. The others are for other relays, each of which does
 * the same.
 */
const CLAIMED_PART = 1 / 4

/**
 * Turns events into deliveries. Calls `afterRound` while there is more work. Returns the milliseconds until the next
 * known work.
 */
export type FanOutEvents = (signal: AbortSignal, afterRound: () => Promise<unknown>) => Promise<number>

/**
 * Turns events into deliveries in steps. A step writes a bounded number of deliveries and the start of the next step in
 * one transaction, so a crash neither loses nor repeats deliveries. On PostgreSQL, relays claim some shards for one
 * round, so that all of them take part. On SQLite one relay does this at a time.
 */
export function createFanOut(dependencies: FanOutDependencies): FanOutEvents {
  const { database, clock, ids, leaseSeconds } = dependencies
  const isSharded = database.dialect === 'postgres'
  const stepSize = new StepSize(database.dialect, DELIVERIES_PER_STEP[database.dialect])
  const deletionSize = new StepSize(database.dialect, UNSUBSCRIBED_EVENTS_PER_STEP[database.dialect])
  const maxBytes = BYTES_PER_STEP[database.dialect]
  const onFilterFailure = createFilterFailureLogger(dependencies)
  const ownLeaseSeconds = Math.min(leaseSeconds, MAX_LEASE_SECONDS)
  const unreturned = new UnconfirmedLeases({ clock, leaseSeconds: ownLeaseSeconds })
  const leaseEnds = () => new Date(clock.now().getTime() + ownLeaseSeconds * 1000)

  return async (signal, afterRound) => {
    await unreturned.returnAll((leases) => database.transact((tx) => returnFanOut(tx, leases), READ_COMMITTED))
    const wait = await timeUntilWork(signal, afterRound)
    if (wait > 0) return wait
    const leases = await claim(ids.next('lease'))
    if (leases.names.length === 0) return CLAIM_RETRY_MILLISECONDS
    const run = {
      ...dependencies,
      leases,
      isSharded,
      leaseEnds,
      stepSize,
      maxBytes,
      onFilterFailure,
      isReleased: false,
    }
    try {
      do {
        await advanceDueFanOuts(run)
        await fanOutNewEvents(run)
        await afterRound()
      } while (!isSharded && !run.isReleased && !signal.aborted && (await timeUntilWork(signal, afterRound)) <= 0)
      return 0
    } catch (error) {
      if (error instanceof LeaseLostError) return 0
      throw error
    } finally {
      if (!run.isReleased) await release(leases).catch(() => unreturned.add(leases.lease, leases.lease))
    }
  }

  function release(leases: HeldLeases): Promise<void> {
    return database.transact((tx) => releaseFanOut(tx, leases), READ_COMMITTED)
  }

  /** Returns the milliseconds until the next work, at most 0 if it is due. Deletes events older than all subscriptions. */
  async function timeUntilWork(signal: AbortSignal, afterStep: () => Promise<unknown>): Promise<number> {
    const subscribedSince = await database.read(findOldestSubscriptionTime)
    const since = subscribedSince ?? new Date(clock.now().getTime() - UNSUBSCRIBED_KEPT_MILLISECONDS)
    while (!signal.aborted) {
      const [first] = await database.read((reader) => readEvents(reader, 1))
      if (!first) break
      if (first.occurredAt >= since) {
        if (subscribedSince) return 0
        break
      }
      const rows = deletionSize.maxRows
      // Other relays may delete the same ones.
      await writeStep({ database, stepSize: deletionSize }, { ...READ_COMMITTED, rows }, (tx) =>
        deleteEventsBefore(tx, since, rows),
      )
      await deletionSize.pause()
      await afterStep()
    }
    const next = await database.read(nextFanOutDueAt)
    return next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
  }

  async function claim(lease: string): Promise<HeldLeases> {
    const now = clock.now()
    const free = await database.read(async (reader) =>
      findUnclaimed(reader, isSharded ? await findShardsWithWork(reader, now) : [ALL_EVENTS], now),
    )
    if (free.length === 0) return { lease, names: [] }
    const some = free.slice(0, Math.ceil(free.length * CLAIMED_PART))
    const names = await unreturned.claim(lease, () =>
      database.transact((tx) => claimFanOut(tx, some, { lease, now, endsAt: leaseEnds() }), READ_COMMITTED),
    )
    return { lease, names }
  }
}

async function findShardsWithWork(reader: Reader, now: Date): Promise<string[]> {
  const shards = [...(await findShardsWithEvents(reader)), ...(await findShardsWithFanOuts(reader, now))]
  return [...new Set(shards)].map(leaseNameOf)
}

/** Runs one step of each due event, longest waiting first. */
async function advanceDueFanOuts(run: FanOutRun): Promise<void> {
  const { database, clock, leases, isSharded } = run
  const shards = isSharded ? leases.names.map(shardOf) : undefined
  const due = await database.read((reader) => findDueFanOuts(reader, clock.now(), FAN_OUTS_PER_ROUND, shards))
  for (const one of due) {
    try {
      await advance(run, one)
    } catch (error) {
      // Another relay has changed what the step was planned from; it is still due.
      if (error instanceof OutdatedExpansionError) continue
      if (isTransient(error)) throw error
      await recordFailure(run, one, error)
    }
  }
}

async function advance(run: FanOutRun, event: FanOut): Promise<void> {
  const { database, clock, expanders, leases, leaseEnds, stepSize, maxBytes, onFilterFailure, recentPayloads } = run
  const progress: Progress = event.progress === undefined ? {} : JSON.parse(event.progress)
  const options = { maxDeliveries: stepSize.maxRows, maxBytes, work: new FilterWork(), onFilterFailure }
  const step = await database.read((reader) => planStep(reader, event, expanders[event.type], progress, options))
  await options.work.pause()
  const planned = await database.read((reader) => planDeliveries(reader, step.outgoing))
  const written = await writeStep(run, { ...READ_COMMITTED, rows: planned.deliveries.length }, async (tx) => {
    await renewFanOut(tx, leases, leaseEnds())
    const isThere = step.next
      ? await advanceFanOut(tx, event.eventId, JSON.stringify(step.next), clock.now())
      : await removeFanOut(tx, event)
    // The operator has discarded the event.
    if (!isThere) return undefined
    for (const effect of step.effects) await effect(tx)
    return writeDeliveries(tx, database.dialect, planned)
  })
  if (written) recentPayloads?.keep(written)
}

async function recordFailure({ database, clock, logger, leases, leaseEnds }: FanOutRun, event: FanOut, error: unknown) {
  const attempts = event.attempts + 1
  const failure = toFailure(error, attempts, clock.now())
  const { eventId, type } = event
  if (failure.state === 'DEAD') logger.error({ err: error, event: eventId, type, attempts }, 'event given up')
  else logger.warn({ err: error, event: eventId, type, attempts }, 'event fan-out failed; it will be retried')
  await database.transact(async (tx) => {
    await renewFanOut(tx, leases, leaseEnds())
    await failFanOut(tx, event, failure)
  }, READ_COMMITTED)
}
