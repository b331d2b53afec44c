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
  except: readonly string[]
  /** Kept by a worker between its claims. */
  turns?: Turns
}

/** Whose turn it is. */
export class Turns {
  /** The owner that had the last turn. */
  afterOwner = ''
  /** Whether the first turn is that of a job with an owner. */
  ownersFirst = false
}

// So few are read whole, which needs one query and no index of owners.
const MAX_READ = 100
// Of owners whose jobs are not due, there may be 100,000: all that wait for a price change in the future.
const MAX_OWNERS_SKIPPED = 500

interface FoundJob {
  job_id: string
  owner: string | null
}

/**
 * Finds due jobs to claim: the oldest job of each of the next owners, beginning after the owner that had the last turn,
 * and the oldest jobs without an owner, by turns. So a job waits for one job of each other owner, however many those have.
 * If all owners have had a turn, the oldest of their further jobs follow.
 */
export async function findDueJobs(reader: Reader, { turns = new Turns(), ...claim }: DueJobs): Promise<string[]> {
  const { limit } = claim
  const oldest = await findOldest(reader, claim, MAX_READ + 1)
  const isAll = oldest.length <= MAX_READ
  const owned = isAll ? takeTurns(oldest, turns) : await findInTurn(reader, claim, turns)
  const unowned = isAll ? oldest.filter(({ owner }) => owner === null) : await findOldest(reader, claim, limit, 'none')
  const [first, second] = turns.ownersFirst ? [owned, unowned] : [unowned, owned]
  const byTurns = Array.from({ length: limit }, (_, turn) => [first[turn], second[turn]]).flat()
  const found = byTurns.filter((job) => job !== undefined).slice(0, limit)
  turns.ownersFirst = !turns.ownersFirst
  turns.afterOwner = found.findLast(({ owner }) => owner !== null)?.owner ?? turns.afterOwner
  const ids = found.map(({ job_id }) => job_id)
  const further = oldest.map(({ job_id }) => job_id).filter((id) => !ids.includes(id))
  return [...ids, ...further].slice(0, limit)
}

/** The first job of each owner, beginning with the next one. */
function takeTurns(oldest: readonly FoundJob[], { afterOwner }: Turns): FoundJob[] {
  const owned = oldest.filter((job): job is FoundJob & { owner: string } => job.owner !== null)
  const jobs = [...Map.groupBy(owned, ({ owner }) => owner).values()].map(([job]) => job as (typeof owned)[number])
  jobs.sort((one, other) => (one.owner < other.owner ? -1 : 1))
  return [...jobs.filter(({ owner }) => owner > afterOwner), ...jobs.filter(({ owner }) => owner <= afterOwner)]
}

const isDue = ({ now, kinds, except }: DueJobs) => {
  const due = sql<boolean>`run_at <= ${now.toISOString()} and kind in (${sql.join(kinds)})`
  return except.length > 0 ? sql<boolean>`${due} and job_id not in (${sql.join(except)})` : due
}

/** The oldest job of each of the next owners; after the last owner, the first ones follow. */
async function findInTurn(reader: Reader, claim: DueJobs, turns: Turns): Promise<FoundJob[]> {
  const next = await walkOwners(reader, claim, turns.afterOwner)
  // The next claim continues there. Until then, the oldest jobs are claimed.
  if (next.skippedUntil !== undefined) turns.afterOwner = next.skippedUntil
  const isEnd = next.skippedUntil === undefined && next.jobs.length < claim.limit
  if (!isEnd || turns.afterOwner === '') return next.jobs
  const again = await walkOwners(reader, claim, '')
  turns.afterOwner = again.skippedUntil ?? turns.afterOwner
  const known = new Set(next.jobs.map(({ job_id }) => job_id))
  return [...next.jobs, ...again.jobs.filter(({ job_id }) => !known.has(job_id))]
}

/**
 * Finds the next owner in the index at each step, and its oldest job if that is due, so the time does not grow with the
 * number of jobs. Returns where it stopped if too many owners have no job that is due.
 */
async function walkOwners(reader: Reader, claim: DueJobs, afterOwner: string) {
  const nextAfter = (owner: ReturnType<typeof sql>) => sql`(select min(owner) from jobs where owner > ${owner})`
  const oldest = sql`(
    select job_id from jobs where owner = steps.owner and ${isDue(claim)} order by run_at, job_id limit 1
  )`
  const max = sql.lit(MAX_OWNERS_SKIPPED)
  const rows = await reader.all(
    db
      .selectFrom(
        sql<{ passed: string; job_id: string | null; step: number }>`(
          with recursive steps(owner, passed, job_id, found, step) as (
            select ${nextAfter(sql`${afterOwner}`)}, cast(null as text), cast(null as text), 0, 0
            union all
            select ${nextAfter(sql`steps.owner`)}, steps.owner, ${oldest},
                steps.found + case when ${oldest} is null then 0 else 1 end, steps.step + 1
              from steps
              where steps.owner is not null and steps.step < ${max} and steps.found < ${sql.lit(claim.limit)}
          )
          select passed, job_id, step from steps where job_id is not null or step = ${max}
        )`.as('walked'),
      )
      .select(['passed', 'job_id', 'step'])
      .orderBy('step'),
  )
  const jobs = rows.flatMap(({ job_id, passed }) => (job_id === null ? [] : { job_id, owner: passed }))
  return { jobs, skippedUntil: rows.find(({ step }) => step === MAX_OWNERS_SKIPPED)?.passed }
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
