import { writeStep } from '../../../platform/database/step-size.ts'
import { OutdatedExpansionError } from '../../../platform/outbox/expander.ts'
import { deleteEvents, readEvents, readShardEvents, rowOf, type StoredEvent } from '../../../platform/outbox/outbox.ts'
import { lanesToQueueIn, lockLanes } from './lanes.ts'
import { releaseFanOut, renewFanOut, shardOf } from './lease.ts'
import { Payloads, planDeliveries, writeDeliveries } from './planned-deliveries.ts'
import { findSuperseded, planRows, type RowPlan, toFailedFanOut } from './row-plans.ts'
import { type FanOutRun, isTransient, READ_COMMITTED } from './run.ts'
import { findBusyLanes, insertFanOuts, nextFanOutDueAt } from './store.ts'

const ROWS_PER_ROUND = 250
/** How many events are planned together: they share reads, and their notifications are in memory at the same time. */
const EVENTS_PER_PLAN = 50
const MAX_ATTEMPTS = 20

/** Turns the oldest events of the outbox into deliveries, or defers them. */
export async function fanOutNewEvents(run: FanOutRun): Promise<void> {
  const events = await readNext(run)
  if (events.length === 0) return
  const superseded = findSuperseded(events, run.expanders)
  const rows = [...Map.groupBy(events, ({ eventId }) => rowOf(eventId)).values()]
  const isLastRound = run.isSharded || (rows.length < ROWS_PER_ROUND && !(await isFanOutDue(run)))
  let planned = 0
  for (const some of groupRows(rows)) {
    const plans = await run.database.read((reader) => planRows(reader, some, superseded, run))
    planned += plans.length
    const isLastGroup = isLastRound && planned === rows.length && !plans.some(({ deferred }) => deferred.length > 0)
    let left = plans.length
    for (const step of splitIntoSteps(plans, run)) {
      left -= step.rows.length
      await commit(run, step, superseded, { isLast: isLastGroup && left === 0 })
      // Payloads are serialized step by step, and not kept.
      for (const row of step.rows) row.outgoing.length = 0
    }
    // The rest is left to the next round, before which fan-outs in several steps and deliveries have their turn.
    if (plans.length < some.length) return
  }
}

/** Groups rows with about `EVENTS_PER_PLAN` events. */
function* groupRows(rows: readonly StoredEvent[][]): Generator<StoredEvent[][]> {
  let group: StoredEvent[][] = []
  let events = 0
  for (const row of rows) {
    group.push(row)
    events += row.length
    if (events < EVENTS_PER_PLAN) continue
    yield group
    group = []
    events = 0
  }
  if (group.length > 0) yield group
}

/** Reads the same number of rows of each claimed shard, so that a seller with many events does not delay the others. */
const readNext = ({ database, leases, isSharded }: FanOutRun): Promise<StoredEvent[]> =>
  database.read((reader) => {
    if (!isSharded) return readEvents(reader, ROWS_PER_ROUND)
    return readShardEvents(reader, leases.names.map(shardOf), Math.ceil(ROWS_PER_ROUND / leases.names.length))
  })

async function isFanOutDue({ database, clock }: FanOutRun): Promise<boolean> {
  const next = await database.read(nextFanOutDueAt)
  return next !== undefined && next <= clock.now()
}

interface Step {
  rows: readonly RowPlan[]
  payloads: Payloads
}

/** Ends a step when it is large enough. A single row is not split. */
function* splitIntoSteps(plans: readonly RowPlan[], { stepSize, maxBytes }: FanOutRun): Generator<Step> {
  let rows: RowPlan[] = []
  let payloads = new Payloads()
  for (const plan of plans) {
    rows.push(plan)
    for (const notification of plan.outgoing) payloads.add(notification)
    if (payloads.count < stepSize.maxRows && payloads.bytes < maxBytes) continue
    yield { rows, payloads }
    rows = []
    payloads = new Payloads()
  }
  if (rows.length > 0) yield { rows, payloads }
}

/**
 * If another relay has changed what a step was planned from, it is planned again. If a step fails because of its content,
 * each of its rows is retried alone, and only the failing one is deferred.
 */
async function commit(
  run: FanOutRun,
  step: Step,
  superseded: ReadonlySet<string>,
  { isLast = false, attempt = 1 } = {},
): Promise<void> {
  const { rows, payloads } = step
  try {
    await write(run, step, isLast)
    run.isReleased = isLast
  } catch (error) {
    if (isTransient(error)) throw error
    if (error instanceof OutdatedExpansionError && attempt < MAX_ATTEMPTS) {
      for (let left = rows.map((row) => row.events); left.length > 0; ) {
        const some = left
        const plans = await run.database.read((reader) => planRows(reader, some, superseded, run))
        for (const part of splitIntoSteps(plans, run)) await commit(run, part, superseded, { attempt: attempt + 1 })
        left = left.slice(plans.length)
      }
      return
    }
    if (rows.length > 1) {
      for (const row of rows) await commit(run, { rows: [row], payloads }, superseded)
      return
    }
    const events = rows.flatMap((row) => row.events)
    const deferred = events.map((event) => toFailedFanOut(event, error, run))
    await write(run, { rows: [{ events, outgoing: [], effects: [], lanes: [], deferred }], payloads }, false)
  }
}

async function write(run: FanOutRun, { rows, payloads }: Step, isLast: boolean): Promise<void> {
  const { database, leases, leaseEnds, recentPayloads } = run
  const outgoing = rows.flatMap((row) => row.outgoing)
  const planned = await database.read((reader) => planDeliveries(reader, outgoing, payloads))
  const eventIds = rows.flatMap(({ events }) => events.map(({ eventId }) => eventId))
  const deferred = rows.flatMap((row) => row.deferred)
  const work = async (tx: Parameters<Parameters<typeof database.transact>[0]>[0]) => {
    // Started together: on PostgreSQL they share a round trip, and so do those below.
    const [removed, busy] = await Promise.all([
      // Missing events were deleted by the sweep.
      deleteEvents(tx, eventIds),
      findBusyLanes(
        tx,
        rows.flatMap((row) => row.lanes),
      ),
      renewFanOut(tx, leases, leaseEnds()),
      lockLanes(tx, lanesToQueueIn(deferred)),
    ])
    if (busy.size > 0) throw new OutdatedExpansionError('A lane has become busy')
    const isThere = ({ eventId }: Pick<StoredEvent, 'eventId'>) => removed.has(eventId)
    // Lane by lane, and before the deliveries, as in `advance`: relays with the same markets then wait for each other
    // instead of deadlocking.
    const effects = rows
      .flatMap((row) => row.effects)
      .sort((one, other) => Number(one.lane > other.lane) - Number(one.lane < other.lane))
    const applied = effects.map((effect) => effect.apply(tx))
    const [written] = await Promise.all([
      writeDeliveries(tx, database.dialect, { ...planned, deliveries: planned.deliveries.filter(isThere) }),
      insertFanOuts(tx, deferred.filter(isThere)),
      ...applied,
    ])
    // Not in a separate transaction, because most fan-outs have one event.
    if (isLast) await releaseFanOut(tx, leases)
    return written
  }
  const written = await writeStep(run, { ...READ_COMMITTED, rows: planned.deliveries.length }, work)
  recentPayloads?.keep(written)
}
