import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { chunks, MAX_TUPLES } from '../../../platform/database/tuples.ts'
import type { Expander, Expanders } from '../../../platform/outbox/expander.ts'
import { deleteEvents, readEvents, rowOf, type StoredEvent } from '../../../platform/outbox/outbox.ts'
import { findSubscriptions, isSubscribed, type Subscription, topicId } from '../subscriptions/subscription-store.ts'
import { releaseFanOut, renewFanOut } from './lease.ts'
import { Payloads, planDeliveries, writeDeliveries } from './planned-deliveries.ts'
import { type FanOutRun, isTransient, toFailure, writeStep } from './run.ts'
import { type FanOutStep, matchSubscriptions, type OutgoingNotification, planStep, toNotification } from './step.ts'
import { type FanOut, findBusyLanes, insertFanOuts, nextFanOutDueAt } from './store.ts'

const ROWS_PER_ROUND = 250
/** Maximum number of subscriptions loaded for the events of a round. */
const MAX_SUBSCRIPTIONS = 5_000
/** A step ends at this size, because other writers wait for it. */
const MAX_STEP_BYTES = 512 * 1024

/** The plan for the events of one outbox row. */
interface RowPlan {
  events: readonly StoredEvent[]
  outgoing: OutgoingNotification[]
  effects: ((tx: Transaction) => Promise<void>)[]
  /** Events that take more than one step, wait for an earlier event, or have failed. */
  deferred: FanOut[]
}

/** Data loaded once for all events of a round. */
interface Round {
  /** Lanes in which events wait for an earlier event. */
  busyLanes: Set<string>
  /** Internal events to skip: a later one has the same subject, or there is no subscription. */
  skipped: ReadonlySet<string>
  /** By topic. Absent if there are too many. */
  subscriptions: ReadonlyMap<string, Subscription[]> | undefined
}

/** Turns the oldest events of the outbox into deliveries, or defers them. */
export async function fanOutNewEvents(run: FanOutRun): Promise<void> {
  const { database, expanders } = run
  const events = await database.read((reader) => readEvents(reader, ROWS_PER_ROUND))
  if (events.length === 0) return
  const round = await database.read((reader) => loadRound(reader, events, expanders))
  const rows = [...Map.groupBy(events, ({ eventId }) => rowOf(eventId)).values()]
  let step: RowPlan[] = []
  let payloads = new Payloads()
  for (const row of rows) {
    const plan = await database.read((reader) => planRow(reader, row, round, run))
    step.push(plan)
    for (const notification of plan.outgoing) payloads.add(notification)
    if (payloads.count < run.stepSize.maxDeliveries && payloads.bytes < MAX_STEP_BYTES) continue
    await commit(run, step, payloads)
    step = []
    payloads = new Payloads()
  }
  const isLast = rows.length < ROWS_PER_ROUND && !(await isFanOutDue(run))
  await commit(run, step, payloads, { isLast: isLast && step.every(({ deferred }) => deferred.length === 0) })
}

async function isFanOutDue({ database, clock }: FanOutRun): Promise<boolean> {
  const next = await database.read(nextFanOutDueAt)
  return next !== undefined && next <= clock.now()
}

/** Events of one lane are fanned out in order. */
const laneOf = ({ type, sellerId }: StoredEvent, expanders: Expanders) =>
  expanders[type] ? type : `${type} ${sellerId}`

async function loadRound(reader: Reader, events: readonly StoredEvent[], expanders: Expanders): Promise<Round> {
  const skipped = new Set<string>()
  for (const [type, expander] of Object.entries(expanders)) {
    const ofType = events.filter((event) => event.type === type)
    if (ofType.length === 0) continue
    const isWanted = await isSubscribed(reader, expander.produces)
    const last = new Map<string, string>()
    for (const event of ofType) {
      const subject = subjectOf(event, expander)
      const earlier = last.get(subject)
      if (earlier !== undefined) skipped.add(earlier)
      last.set(subject, event.eventId)
      if (!isWanted) skipped.add(event.eventId)
    }
  }
  const plain = events.filter(({ type }) => !expanders[type])
  const topics = new Map(
    plain.map(({ type, sellerId }) => [
      topicId({ notificationType: type, sellerId }),
      { notificationType: type, sellerId },
    ]),
  )
  const found = await findSubscriptions(reader, [...topics.values()], MAX_SUBSCRIPTIONS)
  return {
    busyLanes: await loadBusyLanes(reader, events, expanders),
    skipped,
    subscriptions: found && Map.groupBy(found, topicId),
  }
}

/** An event that cannot be parsed is its own subject, so that it fails alone. */
function subjectOf(event: StoredEvent, expander: Expander): string {
  try {
    return expander.subjectOf({ ...event, payload: event.payload.value })
  } catch {
    return event.eventId
  }
}

async function loadBusyLanes(reader: Reader, events: readonly StoredEvent[], expanders: Expanders) {
  const lanes = new Set(events.map((event) => laneOf(event, expanders)))
  const busy = new Set<string>()
  for (const some of chunks([...lanes], MAX_TUPLES)) {
    for (const lane of await findBusyLanes(reader, some)) busy.add(lane)
  }
  return busy
}

async function planRow(reader: Reader, events: readonly StoredEvent[], round: Round, run: FanOutRun): Promise<RowPlan> {
  const plan: RowPlan = { events, outgoing: [], effects: [], deferred: [] }
  const now = run.clock.now()
  for (const event of events) {
    if (round.skipped.has(event.eventId)) continue
    const lane = laneOf(event, run.expanders)
    const deferred = { ...event, lane, dueAt: now, attempts: 0 }
    if (round.busyLanes.has(lane)) {
      plan.deferred.push({ ...deferred, state: 'QUEUED' })
      continue
    }
    try {
      const step = await planEvent(reader, event, round, run)
      if (step.next) {
        // The event gets its own steps, starting with the first, so that others do not wait for all of them.
        round.busyLanes.add(lane)
        plan.deferred.push({ ...deferred, state: 'PENDING' })
        continue
      }
      plan.outgoing.push(...step.outgoing)
      plan.effects.push(...step.effects)
    } catch (error) {
      if (isTransient(error)) throw error
      plan.deferred.push(toFailedFanOut(event, error, run))
    }
  }
  return plan
}

async function planEvent(reader: Reader, event: StoredEvent, round: Round, run: FanOutRun): Promise<FanOutStep> {
  const { stepSize, onFilterFailure } = run
  const expander = run.expanders[event.type]
  const topic = topicId({ notificationType: event.type, sellerId: event.sellerId })
  const subscriptions = round.subscriptions?.get(topic) ?? []
  if (expander || !round.subscriptions || subscriptions.length > stepSize.maxDeliveries) {
    return planStep(reader, event, expander, {}, { maxDeliveries: stepSize.maxDeliveries, onFilterFailure })
  }
  if (subscriptions.length === 0) return { outgoing: [], effects: [] }
  return { outgoing: matchSubscriptions(event, [toNotification(event)], subscriptions, onFilterFailure), effects: [] }
}

function toFailedFanOut(event: StoredEvent, err: unknown, { clock, logger }: FanOutRun): FanOut {
  const { error, ...failure } = toFailure(err, 1, clock.now())
  logger.warn({ err, event: event.eventId, type: event.type }, 'event fan-out failed; it will be retried')
  return { ...event, ...failure, lastError: error }
}

/** If a step fails because of its content, each of its rows is retried alone, and only the failing one is deferred. */
async function commit(
  run: FanOutRun,
  step: readonly RowPlan[],
  payloads: Payloads,
  { isLast = false } = {},
): Promise<void> {
  if (step.length === 0) return
  try {
    await write(run, step, payloads, isLast)
    run.isReleased = isLast
  } catch (error) {
    if (isTransient(error)) throw error
    if (step.length > 1) {
      for (const row of step) await commit(run, [row], payloads)
      return
    }
    const events = step.flatMap((row) => row.events)
    const deferred = events.map((event) => toFailedFanOut(event, error, run))
    await write(run, [{ events, outgoing: [], effects: [], deferred }], payloads, false)
  }
}

async function write(run: FanOutRun, step: readonly RowPlan[], payloads: Payloads, isLast: boolean): Promise<void> {
  const { database, lease, leaseEnds } = run
  const outgoing = step.flatMap((row) => row.outgoing)
  const planned = await database.read((reader) => planDeliveries(reader, outgoing, payloads))
  const eventIds = step.flatMap(({ events }) => events.map(({ eventId }) => eventId))
  await writeStep(run, planned.deliveries.length, async (tx) => {
    await renewFanOut(tx, lease, leaseEnds())
    // Missing events were deleted by the sweep.
    const removed = await deleteEvents(tx, eventIds)
    for (const { effects } of step) for (const effect of effects) await effect(tx)
    await insertFanOuts(
      tx,
      step.flatMap(({ deferred }) => deferred).filter(({ eventId }) => removed.has(eventId)),
    )
    await writeDeliveries(tx, {
      ...planned,
      deliveries: planned.deliveries.filter(({ eventId }) => removed.has(eventId)),
    })
    // Not in a separate transaction, because most fan-outs have one event.
    if (isLast) await releaseFanOut(tx, lease)
  })
}
