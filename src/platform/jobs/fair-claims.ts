import { sql } from 'kysely'
import type { Reader } from '../database/port.ts'
import { queryBuilder } from '../database/query.ts'
import type { JobTables } from './tables.ts'

const db = queryBuilder<JobTables>()

/** Which jobs to find. */
export interface DueJobs {
  now: Date
  limit: number
  /** Jobs of other kinds are left for a worker that knows them. */
  kinds: readonly string[]
  /** Known not to be later than the first of them, so that those of other kinds before it are not read. */
  from?: string | undefined
  except: readonly string[]
  /** Kept by a worker between its claims. */
  turns?: Turns
}

// So few are read whole, which needs one query and no index of owners.
const MAX_READ = 100
// Of owners whose jobs are not due, there may be 100,000: all that wait for a price change in the future.
const MAX_OWNERS_WALKED = 200
const MAX_OWNERS_KNOWN = 1_000
// More than have a turn: other workers may have claimed the jobs of some.
const FURTHER_OWNERS = 20

/** Whose turn it is. */
export class Turns {
  /** Whether the first turn is that of a job with an owner. */
  ownersFirst = false
  /** The last owner looked at. The next claim looks at those after it. */
  afterOwner = ''
  /** Owners that had due jobs when last looked at: those that wait for their turn in this round, then the others. */
  readonly #waiting = new Set<string>()
  readonly #served = new Set<string>()

  get isFull(): boolean {
    return this.#waiting.size >= MAX_OWNERS_KNOWN
  }

  get next(): string[] {
    return [...this.#waiting, ...this.#served]
  }

  add(owner: string): void {
    if (!this.#served.has(owner)) this.#waiting.add(owner)
  }

  remove(owner: string): void {
    this.#waiting.delete(owner)
    this.#served.delete(owner)
  }

  /** An owner that is not kept is found again in the next round. */
  endTurn(owner: string): void {
    this.remove(owner)
    if (this.#served.size < MAX_OWNERS_KNOWN) this.#served.add(owner)
  }

  /** After all owners were looked at. Until then, those that had a turn come after those known to wait for theirs. */
  beginRound(): void {
    for (const owner of this.#served) this.#waiting.add(owner)
    this.#served.clear()
  }
}

interface FoundJob {
  job_id: string
  owner: string | null
}

/**
 * Finds due jobs to claim: the oldest job of each owner that has the next turns, and the oldest jobs without an owner, by
 * turns. So a job waits for one job of each other owner, however many those have. If there are too few of these, the
 * oldest of all follow.
 */
export async function findDueJobs(reader: Reader, { turns = new Turns(), ...claim }: DueJobs): Promise<string[]> {
  const { limit } = claim
  const oldest = await findOldest(reader, claim, MAX_READ + 1)
  const isAll = oldest.length <= MAX_READ
  const unowned = isAll ? oldest.filter(({ owner }) => owner === null) : await findOldest(reader, claim, limit, 'none')
  const places = Math.max(limit - unowned.length, turns.ownersFirst ? Math.ceil(limit / 2) : Math.floor(limit / 2))
  const owned = isAll ? takeTurns(oldest, turns) : places > 0 ? await findInTurn(reader, claim, turns, places) : []
  const [first, second] = turns.ownersFirst ? [owned, unowned] : [unowned, owned]
  const byTurns = Array.from({ length: limit }, (_, turn) => [first[turn], second[turn]]).flat()
  const found = byTurns.filter((job) => job !== undefined).slice(0, limit)
  turns.ownersFirst = !turns.ownersFirst
  for (const { owner } of found) if (owner !== null) turns.endTurn(owner)
  const ids = found.map(({ job_id }) => job_id)
  const further = oldest.map(({ job_id }) => job_id).filter((id) => !ids.includes(id))
  return [...ids, ...further].slice(0, limit)
}

/** The first job of each owner, beginning with the one that has the next turn. */
function takeTurns(all: readonly FoundJob[], turns: Turns): FoundJob[] {
  const owned = all.filter((job): job is FoundJob & { owner: string } => job.owner !== null)
  const jobs = Map.groupBy(owned, ({ owner }) => owner)
  turns.beginRound()
  for (const owner of jobs.keys()) turns.add(owner)
  return turns.next.flatMap((owner) => firstJob(turns, owner, jobs.get(owner)?.[0]?.job_id))
}

function firstJob(turns: Turns, owner: string, job_id: string | null | undefined): FoundJob[] {
  if (job_id) return [{ job_id, owner }]
  turns.remove(owner)
  return []
}

const isDue = ({ now, kinds, from, except }: DueJobs) => {
  const conditions = [sql`run_at <= ${now.toISOString()}`, sql`kind in (${sql.join(kinds)})`]
  if (from !== undefined) conditions.push(sql`run_at >= ${from}`)
  if (except.length > 0) conditions.push(sql`job_id not in (${sql.join(except)})`)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

const oldestOf = (owner: ReturnType<typeof sql>, claim: DueJobs) =>
  sql<
    string | null
  >`(select job_id from jobs where owner = ${owner} and ${isDue(claim)} order by run_at, job_id limit 1)`

/** The oldest job of each of the owners that have the next turns. */
async function findInTurn(reader: Reader, claim: DueJobs, turns: Turns, places: number): Promise<FoundJob[]> {
  if (!turns.isFull) await walkOwners(reader, claim, turns)
  const next = turns.next.slice(0, places + FURTHER_OWNERS)
  if (next.length === 0) return []
  const values = sql.join(next.map((owner) => sql`(${owner})`))
  const rows = await reader.all(
    db
      .selectFrom(
        sql<{ owner: string; job_id: string | null }>`(
          with next_owners(owner) as (values ${values})
          select owner, ${oldestOf(sql`next_owners.owner`, claim)} as job_id from next_owners
        )`.as('found'),
      )
      .select(['owner', 'job_id']),
  )
  const jobs = new Map(rows.map(({ owner, job_id }) => [owner, job_id]))
  return next.flatMap((owner) => firstJob(turns, owner, jobs.get(owner)))
}

/**
 * Looks for further owners with due jobs. Each step finds the next owner in the index, so the time does not grow with the
 * number of jobs. After the last owner, the next claim begins again with the first one.
 */
async function walkOwners(reader: Reader, claim: DueJobs, turns: Turns): Promise<void> {
  const nextAfter = (owner: ReturnType<typeof sql>) => sql`(select min(owner) from jobs where owner > ${owner})`
  const found = sql`found_before + case when job_id is null then 0 else 1 end`
  const max = sql.lit(MAX_OWNERS_WALKED)
  const rows = await reader.all(
    db
      .selectFrom(
        sql<{ owner: string | null; next_owner: string | null; job_id: string | null; step: number }>`(
          with recursive steps(owner, next_owner, job_id, found_before, step) as (
            select cast(null as text), ${nextAfter(sql`${turns.afterOwner}`)}, cast(null as text), 0, 0
            union all
            select next_owner, ${nextAfter(sql`steps.next_owner`)}, ${oldestOf(sql`steps.next_owner`, claim)},
                ${found}, step + 1
              from steps
              where next_owner is not null and step < ${max} and ${found} < ${sql.lit(claim.limit + FURTHER_OWNERS)}
          )
          select * from steps where job_id is not null or next_owner is null or step = ${max}
        )`.as('walked'),
      )
      .select(['owner', 'next_owner', 'job_id'])
      .orderBy('step'),
  )
  for (const { owner, job_id } of rows) if (owner !== null && job_id !== null) turns.add(owner)
  const last = rows.at(-1)
  turns.afterOwner = last?.next_owner ? (last.owner ?? '') : ''
  if (turns.afterOwner === '') turns.beginRound()
}

async function findOldest(reader: Reader, claim: DueJobs, limit: number, owner?: 'none'): Promise<FoundJob[]> {
  let query = db
    .selectFrom('jobs')
    .select(['job_id', 'owner'])
    .where(isDue(claim))
    .orderBy('run_at')
    .orderBy('job_id')
    .limit(limit)
  if (owner === 'none') query = query.where('owner', 'is', null)
  return reader.all(query)
}
