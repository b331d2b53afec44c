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
 * Turns events into deliveries, in steps that each commit by themselves: a step writes a bounded number of deliveries
 * together with where the next one begins, so that each event becomes its deliveries once, whoever dies in between. One
 * relay does this at a time. `afterRound` is called while there is more. Answers for how many milliseconds there will
 * be nothing to do, as far as is known.
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
    // Where this fails, the lease ends by itself.
    if (!run.isReleased) await database.transact((tx) => releaseFanOut(tx, lease)).catch(() => {})
  }
}

/** Not above zero when there is something to do. Drops what happened before anybody subscribed. */
async function timeUntilWork(database: Database, clock: Clock): Promise<number> {
  const since = await database.read(findOldestSubscriptionTime)
  // While nobody subscribes, events are left to be swept.
  if (!since) return Number.POSITIVE_INFINITY
  for (;;) {
    const [first] = await database.read((reader) => readEvents(reader, 1))
    if (!first) break
    if (first.occurredAt >= since) return 0
    // There may be many, so they go in larger steps.
    await database.transact((tx) => deleteEventsBefore(tx, since, UNSUBSCRIBED_EVENTS_PER_STEP))
  }
  const next = await database.read(nextFanOutDueAt)
  return next ? next.getTime() - clock.now().getTime() : Number.POSITIVE_INFINITY
}

/** One step of each event that has a step due, the one that has waited longest first. */
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
  const chunk = await database.read((reader) =>
    planStep(reader, event, expanders[event.type], progress, {
      maxDeliveries: stepSize.maxDeliveries,
      onFilterFailure,
    }),
  )
  const planned = await database.read((reader) => planDeliveries(reader, chunk.outgoing))
  await writeStep(run, planned.deliveries.length, async (tx) => {
    await renewFanOut(tx, lease, leaseEnds())
    const isThere = chunk.next
      ? await advanceFanOut(tx, event.eventId, JSON.stringify(chunk.next), clock.now())
      : await removeFanOut(tx, event)
    // The operator has discarded it.
    if (!isThere) return
    for (const effect of chunk.effects) await effect(tx)
    await writeDeliveries(tx, planned)
  })
}

async function recordFailure({ database, clock, logger, lease, leaseEnds }: FanOutRun, event: FanOut, error: unknown) {
  const attempts = event.attempts + 1
  const failure = toFailure(error, attempts, clock.now())
  const { eventId, type } = event
  if (failure.state === 'DEAD') logger.error({ err: error, event: eventId, type, attempts }, 'an event was given up')
  else logger.warn({ err: error, event: eventId, type, attempts }, 'an event cannot be fanned out; it will be retried')
  await database.transact(async (tx) => {
    await renewFanOut(tx, lease, leaseEnds())
    await failFanOut(tx, event, failure)
  })
}
