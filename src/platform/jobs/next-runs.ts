import type { Clock } from '../clock/port.ts'
import type { Database, Reader } from '../database/port.ts'
import { type PreparedQuery, prepare, queryBuilder } from '../database/query.ts'
import type { Logger } from '../logging/logger.ts'
import { findUnknownKinds } from './store.ts'
import type { JobTables } from './tables.ts'

const db = queryBuilder<JobTables>()

export interface NextRunOptions {
  database: Database
  clock: Clock
  logger: Logger
  /** All that the worker can handle. */
  kinds: readonly string[]
}

export interface NextRun {
  /** Milliseconds until the job is due or to be looked for again. At most 0 if it is due, also if it cannot be claimed. */
  wait: number
  /** No job of the kinds is known before this time. Undefined if all have to be read. */
  from?: string
}

/** What is known of the jobs of some kinds. */
interface Search {
  query: PreparedQuery<Span, { run_at: string }>
  /** No job of the kinds was found before this time. */
  from: string
  /** The same for the last search, which may have missed some that were enqueued meanwhile for an earlier time. */
  until: string
  /** When all jobs were read, and those of the last minute, in real time. */
  readAllAt: number
  readRecentAt: number
}

const UNKNOWN_KIND_CHECK_INTERVAL_MILLISECONDS = 10 * 60 * 1000

// Fewer jobs of other kinds are read again each time.
const MIN_SKIPPED = 1_000
// A job is enqueued for now or later, but its transaction may last for some time, and the clocks of processes differ.
const MAX_DELAY_MILLISECONDS = 60_000
// Jobs that are enqueued for an earlier time wait that long.
const READ_ALL_INTERVAL_MILLISECONDS = 10_000
// There may be 100,000 of the last minute, and a worker polls after each job.
const READ_RECENT_INTERVAL_MILLISECONDS = 1_000

// Of the kinds that are left out, 100,000 jobs may wait for a price change in the future.
const LOOK_AHEAD_MILLISECONDS = 1_000

const FROM_THE_FIRST = ''

interface Span {
  from: string
  until: string
}

const WHOLE_TIME: Span = { from: FROM_THE_FIRST, until: '9999-12-31T23:59:59.999Z' }

/** Finds the first job of these kinds in a span of time. */
const prepareNextRun = (kinds: readonly string[]): Search['query'] =>
  prepare((params: Span) =>
    db
      .selectFrom('jobs')
      .select('run_at')
      .where('kind', 'in', kinds)
      .where('run_at', '>=', params.from)
      .where('run_at', '<=', params.until)
      .orderBy('run_at')
      .limit(1),
  )

const afterMany = prepare((params: { from: string; many: number }) =>
  db
    .selectFrom('jobs')
    .select('run_at')
    .where('run_at', '>=', params.from)
    .orderBy('run_at')
    .limit(1)
    .offset(params.many),
)

/** Whether there are many jobs of any kind in a span of time. */
async function areManyIn(reader: Reader, { from, until }: Span): Promise<boolean> {
  const row = await reader.first(afterMany, { from, many: MIN_SKIPPED })
  return row !== undefined && row.run_at < until
}

/**
 * When the next job of a worker is due. While kinds are suspended, there may be 100,000 due jobs of them before the
 * first one of another kind. They are not read at each poll: the search begins where the one before found something. An
 * index with the kind would make each job more expensive, and would not help a claim, which looks for the jobs of each
 * owner.
 */
export class NextRuns {
  readonly #options: NextRunOptions
  readonly #searches = new Map<string, Search>()
  readonly #unknownKinds = new Set<string>()
  #nextUnknownKindCheckAt = 0

  constructor(options: NextRunOptions) {
    this.#options = options
  }

  /** Finds the next job of these kinds. */
  async find(kinds: readonly string[]): Promise<NextRun> {
    const { database, clock, kinds: all } = this.#options
    if (kinds.length === 0) return { wait: Number.POSITIVE_INFINITY }
    const search = this.#searchOf(kinds)
    const isOfAll = kinds.length === all.length
    const runAt = await database.read((reader) =>
      isOfAll ? findNext(reader, search, WHOLE_TIME) : this.#goOn(reader, search),
    )
    const wait = timeUntil(runAt, clock.now())
    return isOfAll ? { wait } : { wait: Math.min(wait, LOOK_AHEAD_MILLISECONDS), from: search.from }
  }

  #searchOf(kinds: readonly string[]): Search {
    const key = kinds.join()
    const known = this.#searches.get(key)
    if (known) return known
    const search = {
      query: prepareNextRun(kinds),
      from: FROM_THE_FIRST,
      until: FROM_THE_FIRST,
      readAllAt: 0,
      readRecentAt: 0,
    }
    this.#searches.set(key, search)
    return search
  }

  async #goOn(reader: Reader, search: Search): Promise<string | undefined> {
    const realTime = performance.now()
    const time = this.#options.clock.now().getTime()
    const now = new Date(time).toISOString()
    const recent = new Date(time - MAX_DELAY_MILLISECONDS).toISOString()
    const until = new Date(time + LOOK_AHEAD_MILLISECONDS).toISOString()
    // The clock may have been set back.
    const early = earlierOf(search.from, recent)
    const late = earlierOf(search.until, now)
    const hasReadAll = realTime - search.readAllAt < READ_ALL_INTERVAL_MILLISECONDS
    const hasReadRecent = hasReadAll && realTime - search.readRecentAt < READ_RECENT_INTERVAL_MILLISECONDS
    const skipsEarly = hasReadAll && (await areManyIn(reader, { from: FROM_THE_FIRST, until: early }))
    const start = skipsEarly ? early : FROM_THE_FIRST
    const skipsRecent = hasReadRecent && (await areManyIn(reader, { from: start, until: late }))
    const runAt = await findNext(reader, search, { from: skipsRecent ? late : start, until })
    if (!skipsRecent) search.readRecentAt = realTime
    if (!skipsRecent && !skipsEarly) search.readAllAt = realTime
    search.from = earlierOf(runAt ?? recent, recent)
    search.until = earlierOf(runAt ?? now, now)
    return runAt
  }

  /** Jobs of a newer version wait for a worker of that version. Each kind is logged once. */
  async logUnknownKinds(): Promise<void> {
    const { database, clock, logger, kinds } = this.#options
    const now = clock.now()
    if (now.getTime() < this.#nextUnknownKindCheckAt) return
    this.#nextUnknownKindCheckAt = now.getTime() + UNKNOWN_KIND_CHECK_INTERVAL_MILLISECONDS
    for (const kind of await database.read((reader) => findUnknownKinds(reader, kinds, now))) {
      if (this.#unknownKinds.has(kind)) continue
      this.#unknownKinds.add(kind)
      logger.warn({ kind }, 'unknown job kind; leaving its jobs for a newer worker')
    }
  }
}

const earlierOf = (one: string, other: string) => (one < other ? one : other)

async function findNext(reader: Reader, { query }: Search, span: Span): Promise<string | undefined> {
  return (await reader.first(query, span))?.run_at
}

/** A damaged time is due if it sorts before the time, as the claim has it: otherwise all other jobs would wait for it. */
function timeUntil(runAt: string | undefined, now: Date): number {
  if (runAt === undefined) return Number.POSITIVE_INFINITY
  const milliseconds = new Date(runAt).getTime() - now.getTime()
  if (!Number.isNaN(milliseconds)) return milliseconds
  return runAt <= now.toISOString() ? 0 : Number.POSITIVE_INFINITY
}
