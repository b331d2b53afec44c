import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { chunks, MAX_TUPLES } from '../../../platform/database/tuples.ts'
import type { BegunExpansion, Expanders, InternalEvent } from '../../../platform/outbox/expander.ts'
import { requireReadable, type StoredEvent } from '../../../platform/outbox/outbox.ts'
import { findSubscriptions, isSubscribed, type Subscription, topicId } from '../subscriptions/subscription-store.ts'
import { FilterWork } from './filter-work.ts'
import { type FanOutRun, isTransient, toFailure } from './run.ts'
import {
  type FanOutStep,
  matchSubscriptions,
  type OutgoingNotification,
  planBegun,
  planStep,
  type StepOptions,
  toNotification,
  topicsOf,
} from './step.ts'
import { type FanOut, findBusyLanes } from './store.ts'

/** Maximum number of subscriptions loaded for the rows that are planned together. */
const MAX_SUBSCRIPTIONS = 5_000

interface LaneEffect {
  lane: string
  apply(tx: Transaction): Promise<void>
}

/** The plan for the events of one outbox row. */
export interface RowPlan {
  events: readonly StoredEvent[]
  outgoing: OutgoingNotification[]
  effects: LaneEffect[]
  /** Lanes of expanded events. Another relay may make them busy before the plan is written. */
  lanes: string[]
  /** Events that take more than one step, wait for an earlier event, or have failed. */
  deferred: FanOut[]
}

/** Data loaded for all events that are planned together. */
interface Loaded {
  /** Lanes in which events wait for an earlier event. */
  busyLanes: Set<string>
  /** By topic. Absent if there are too many. */
  subscriptions: ReadonlyMap<string, Subscription[]> | undefined
  /** Begun events with their first pages, by event. */
  begun: ReadonlyMap<string, BegunExpansion>
  /** Internal events that could not be begun together. */
  single: ReadonlySet<string>
  /** Types of internal events without a subscription. */
  unwanted: ReadonlySet<string>
}

/** Finds internal events to skip, because a later one has the same subject. */
export function findSuperseded(events: readonly StoredEvent[], expanders: Expanders): Set<string> {
  const superseded = new Set<string>()
  const last = new Map<string, string>()
  for (const event of events) {
    const expander = expanders[event.type]
    if (!expander) continue
    const subject = `${event.type} ${parsed(event, expander.subjectOf)}`
    const earlier = last.get(subject)
    if (earlier !== undefined) superseded.add(earlier)
    last.set(subject, event.eventId)
  }
  return superseded
}

/**
 * Plans the events of rows without writing anything. Reads for all of them together. Ends early, after at least one row,
 * when filters have taken as many steps as they may before something is written.
 */
export async function planRows(
  reader: Reader,
  rows: readonly (readonly StoredEvent[])[],
  superseded: ReadonlySet<string>,
  run: FanOutRun,
): Promise<RowPlan[]> {
  const events = rows.flat().filter(({ eventId }) => !superseded.has(eventId))
  const loaded = await load(reader, events, run)
  const plans: RowPlan[] = []
  const { stepSize, maxBytes } = run
  const options = {
    maxDeliveries: stepSize.maxRows,
    maxBytes,
    work: new FilterWork(),
    onFilterFailure: run.onFilterFailure,
  }
  const isSpent = options.work.startStep()
  for (const row of rows) {
    const wanted = row.filter(({ eventId, type }) => !superseded.has(eventId) && !loaded.unwanted.has(type))
    plans.push({ ...(await planRow(reader, wanted, loaded, run, options)), events: row })
    await options.work.pause()
    if (isSpent()) break
  }
  return plans
}

/** Events of one lane are fanned out in order: those of a seller and type, or as the expander says. */
function laneOf(event: StoredEvent, expanders: Expanders): string {
  const expander = expanders[event.type]
  if (!expander) return `${event.type} ${event.sellerId}`
  return expander.laneOf ? `${event.type} ${parsed(event, expander.laneOf)}` : event.type
}

/** An event that cannot be parsed is alone with its id, so that it fails alone. */
function parsed(event: StoredEvent, read: (event: InternalEvent) => string): string {
  try {
    return read({ ...event, payload: event.payload.value })
  } catch {
    return event.eventId
  }
}

async function load(reader: Reader, events: readonly StoredEvent[], run: FanOutRun): Promise<Loaded> {
  const { expanders } = run
  const unwanted = new Set<string>()
  for (const [type, expander] of Object.entries(expanders)) {
    if (events.some((event) => event.type === type) && !(await isSubscribed(reader, expander.produces))) {
      unwanted.add(type)
    }
  }
  const busyLanes = await loadBusyLanes(reader, events, expanders)
  const ready = events.filter((event) => !unwanted.has(event.type) && !busyLanes.has(laneOf(event, expanders)))
  const { begun, single } = await beginTogether(reader, ready, run)
  const topics = new Map(
    [
      ...ready
        .filter(({ type }) => !expanders[type])
        .map(({ type, sellerId }) => ({ notificationType: type, sellerId })),
      ...topicsOf([...begun.values()].flatMap(({ page }) => page.notifications)),
    ].map((topic) => [topicId(topic), topic]),
  )
  const found = await findSubscriptions(reader, [...topics.values()], MAX_SUBSCRIPTIONS)
  return { busyLanes, subscriptions: found && Map.groupBy(found, topicId), begun, single, unwanted }
}

async function loadBusyLanes(reader: Reader, events: readonly StoredEvent[], expanders: Expanders) {
  const lanes = new Set(events.map((event) => laneOf(event, expanders)))
  const busy = new Set<string>()
  for (const some of chunks([...lanes], MAX_TUPLES)) {
    for (const lane of await findBusyLanes(reader, some)) busy.add(lane)
  }
  return busy
}

/** Events that fail together, or are too much together, are planned one by one. */
async function beginTogether(reader: Reader, events: readonly StoredEvent[], { expanders, stepSize }: FanOutRun) {
  const begun = new Map<string, BegunExpansion>()
  const single = new Set<string>()
  for (const [type, expander] of Object.entries(expanders)) {
    const ofType = events.filter((event) => event.type === type)
    if (ofType.length === 0) continue
    let together: ReadonlyMap<string, BegunExpansion> | undefined
    try {
      const inner = ofType.map((event) => ({ ...event, payload: event.payload.value }))
      together = await expander.beginAll?.(reader, inner, stepSize.maxRows)
    } catch (error) {
      if (isTransient(error)) throw error
    }
    for (const [id, one] of together ?? []) begun.set(id, one)
    if (!together) for (const { eventId } of ofType) single.add(eventId)
  }
  return { begun, single }
}

async function planRow(
  reader: Reader,
  events: readonly StoredEvent[],
  loaded: Loaded,
  run: FanOutRun,
  options: StepOptions,
) {
  const plan: Omit<RowPlan, 'events'> = { outgoing: [], effects: [], lanes: [], deferred: [] }
  const now = run.clock.now()
  const isSpent = options.work.startStep()
  for (const event of events) {
    const lane = laneOf(event, run.expanders)
    const deferred = { ...event, lane, dueAt: now, attempts: 0 }
    if (loaded.busyLanes.has(lane)) {
      plan.deferred.push({ ...deferred, state: 'QUEUED' })
      continue
    }
    try {
      const step = isSpent() ? undefined : await planEvent(reader, event, loaded, run, options)
      if (!step || step.next) {
        // The event gets its own steps, starting with the first, so that others do not wait for all of them.
        loaded.busyLanes.add(lane)
        plan.deferred.push({ ...deferred, state: 'PENDING' })
        continue
      }
      if (run.expanders[event.type]) plan.lanes.push(lane)
      plan.outgoing.push(...step.outgoing)
      plan.effects.push(...step.effects.map((apply) => ({ lane, apply })))
    } catch (error) {
      if (isTransient(error)) throw error
      plan.deferred.push(toFailedFanOut(event, error, run))
    }
  }
  return plan
}

/** Returns undefined if filters take more steps than one step of a fan-out may. */
async function planEvent(
  reader: Reader,
  event: StoredEvent,
  loaded: Loaded,
  { expanders }: FanOutRun,
  options: StepOptions,
): Promise<FanOutStep | undefined> {
  requireReadable(event)
  const isSpent = options.work.startStep()
  const expander = expanders[event.type]
  if (expander && !loaded.single.has(event.eventId)) {
    const begun = loaded.begun.get(event.eventId)
    if (!begun) return { outgoing: [], effects: [] }
    const whole = loaded.subscriptions && planBegun(event, begun, loaded.subscriptions, options)
    if (whole || isSpent()) return whole
  }
  const subscriptions = loaded.subscriptions?.get(topicId({ notificationType: event.type, sellerId: event.sellerId }))
  if (expander || !loaded.subscriptions || (subscriptions?.length ?? 0) > options.maxDeliveries) {
    return planStep(reader, event, expander, {}, options)
  }
  if (!subscriptions) return { outgoing: [], effects: [] }
  const outgoing = matchSubscriptions(event, [toNotification(event)], subscriptions, options)
  return outgoing && { outgoing, effects: [] }
}

export function toFailedFanOut(event: StoredEvent, err: unknown, { clock, logger }: FanOutRun): FanOut {
  const { error, ...failure } = toFailure(err, 1, clock.now())
  logger.warn({ err, event: event.eventId, type: event.type }, 'event fan-out failed; it will be retried')
  return { ...event, ...failure, lastError: error }
}
