import type { Clock } from '../../../platform/clock/port.ts'
import type { Database } from '../../../platform/database/port.ts'
import { deleteEventsBefore, readEvents } from '../../../platform/outbox/outbox.ts'
import { findOldestSubscriptionTime } from '../subscriptions/subscription-store.ts'
import { fanOutNewEvents } from './distribution.ts'
import { claimFanOut, isFanOutUnclaimed, LeaseLostError, releaseFanOut, renewFanOut } from './lease.ts'
import { planDeliveries, writeDeliveries } from './planned-deliveries.ts'
import {
  createFilterFailureLogger,
  type FanOutDependencies,
  type FanOutRun,
  isTransient,
  toFailure,
  writeStep,
} from './run.ts'
import { type Progress, planStep } from './step.ts'
import { StepSize } from './step-size.ts'
import { advanceFanOut, type FanOut, failFanOut, findDueFanOuts, nextFanOutDueAt, removeFanOut } from './store.ts'

const UNSUBSCRIBED_EVENTS_PER_STEP = 5_000
const FAN_OUTS_PER_ROUND = 4
const MAX_LEASE_SECONDS = 10
const CLAIM_RETRY_MILLISECONDS = 500

/**
 * Turns events into deliveries in steps. A step writes a bounded number of deliveries and the start of the next step in
 * one transaction, so a crash neither loses nor repeats deliveries. One relay does this at a time. Calls `afterRound`
 * while there is more work. Returns the milliseconds until the next known work.
 */
export async function fanOut(
  dependencies: FanOutDependencies,
  signal: AbortSignal,
  afterRound: () => Promise<unknown>,
): Promise<number> {
  const { database, clock, ids, leaseSeconds } = dependencies
  const wait = await timeUntilWork(database, clock)
  if (wait > 0) return wait
  const leaseEnds = () => new Date(clock.now().getTime() + Math.min(leaseSeconds, MAX_LEASE_SECONDS) * 1000)
  const lease = ids.next('lease')
  if (!(await database.read((reader) => isFanOutUnclaimed(reader, clock.now())))) return CLAIM_RETRY_MILLISECONDS
  if (!(await database.transact((tx) => claimFanOut(tx, lease, clock.now(), leaseEnds())))) {
    return CLAIM_RETRY_MILLISECONDS
  }
  const run: FanOutRun = {
    ...dependencies,
    lease,
    leaseEnds,
    stepSize: new StepSize(database.dialect),
    onFilterFailure: createFilterFailureLogger(dependencies.logger),
    isReleased: false,
  }
  try {
    while (!run.isReleased && !signal.aborted && (await timeUntilWork(database, clock)) <= 0) {
      await advanceDueFanOuts(run)
      await fanOutNewEvents(run)
      await afterRound()
    }
    return 0
  } catch (error) {
    if (error instanceof LeaseLostError) return 0
    throw error
  } finally {
    // If this fails, the lease expires.
    if (!run.isReleased) await database.transact((tx) => releaseFanOut(tx, lease)).catch(() => {})
  }
}

/** Returns the milliseconds until the next work, at most 0 if it is due. Deletes events older than all subscriptions. */
async function timeUntilWork(database: Database, clock: Clock): Promise<number> {
  const since = await database.read(findOldestSubscriptionTime)
  // Without subscriptions, the sweep deletes events.
  if (!since) return Number.POSITIVE_INFINITY
  for (;;) {
    const [first] = await database.read((reader) => readEvents(reader, 1))
    if (!first) break
    if (first.occurredAt >= since) return 0
    // There may be many, so the steps are larger.
    await database.transact((tx) => deleteEventsBefore(tx, since, UNSUBSCRIBED_EVENTS_PER_STEP))
  }
  const next = await database.read(nextFanOutDueAt)
  return next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
}

/** Runs one step of each due event, longest waiting first. */
async function advanceDueFanOuts(run: FanOutRun): Promise<void> {
  const { database, clock } = run
  const due = await database.read((reader) => findDueFanOuts(reader, clock.now(), FAN_OUTS_PER_ROUND))
  for (const one of due) {
    try {
      await advance(run, one)
    } catch (error) {
      if (isTransient(error)) throw error
      await recordFailure(run, one, error)
    }
  }
}

async function advance(run: FanOutRun, event: FanOut): Promise<void> {
  const { database, clock, expanders, lease, leaseEnds, stepSize, onFilterFailure } = run
  const progress: Progress = event.progress === undefined ? {} : JSON.parse(event.progress)
  const step = await database.read((reader) =>
    planStep(reader, event, expanders[event.type], progress, {
      maxDeliveries: stepSize.maxDeliveries,
      onFilterFailure,
    }),
  )
  const planned = await database.read((reader) => planDeliveries(reader, step.outgoing))
  await writeStep(run, planned.deliveries.length, async (tx) => {
    await renewFanOut(tx, lease, leaseEnds())
    const isThere = step.next
      ? await advanceFanOut(tx, event.eventId, JSON.stringify(step.next), clock.now())
      : await removeFanOut(tx, event)
    // The operator has discarded the event.
    if (!isThere) return
    for (const effect of step.effects) await effect(tx)
    await writeDeliveries(tx, planned)
  })
}

async function recordFailure({ database, clock, logger, lease, leaseEnds }: FanOutRun, event: FanOut, error: unknown) {
  const attempts = event.attempts + 1
  const failure = toFailure(error, attempts, clock.now())
  const { eventId, type } = event
  if (failure.state === 'DEAD') logger.error({ err: error, event: eventId, type, attempts }, 'event given up')
  else logger.warn({ err: error, event: eventId, type, attempts }, 'event fan-out failed; it will be retried')
  await database.transact(async (tx) => {
    await renewFanOut(tx, lease, leaseEnds())
    await failFanOut(tx, event, failure)
  })
}
