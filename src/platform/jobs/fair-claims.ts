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
  /** The owner that had the last turn. */
  afterOwner?: string
  /** Whether the first turn is that of a job with an owner. */
  ownersFirst?: boolean
}

/**
 * Finds due jobs to claim: the oldest job of each of the next owners, beginning after the owner that had the last turn,
 * and the oldest jobs without an owner, by turns. So a job waits for one job of each other owner, however many those have.
 * If all owners have had a turn, the oldest of their further jobs follow.
 */
export async function findDueJobs(reader: Reader, claim: DueJobs): Promise<string[]> {
  const { limit, afterOwner = '' } = claim
  const owned = await findInTurn(reader, claim, afterOwner)
  if (owned.length < limit && afterOwner !== '') owned.push(...(await findInTurn(reader, claim, '')))
  const unowned = await findOldest(reader, claim, 'is')
  const [first, second] = claim.ownersFirst ? [owned, unowned] : [unowned, owned]
  const byTurns = Array.from({ length: limit }, (_, turn) => [first[turn], second[turn]]).flat()
  const found = [...new Set(byTurns.filter((id) => id !== undefined))].slice(0, limit)
  if (owned.length === 0 || found.length === limit) return found
  const further = { ...claim, limit: limit - found.length, except: [...claim.except, ...found] }
  return [...found, ...(await findOldest(reader, further, 'is not'))]
}

const isDue = ({ now, kinds, except }: DueJobs) => {
  const due = sql<boolean>`run_at <= ${now.toISOString()} and kind in (${sql.join(kinds)})`
  return except.length > 0 ? sql<boolean>`${due} and job_id not in (${sql.join(except)})` : due
}

/** Each step finds the next owner in the index, so the time does not grow with the number of jobs. */
async function findInTurn(reader: Reader, claim: DueJobs, afterOwner: string): Promise<string[]> {
  const nextAfter = (owner: ReturnType<typeof sql>) =>
    sql`(select min(jobs.owner) from jobs where jobs.owner > ${owner} and ${isDue(claim)})`
  const oldest = sql`(
    select jobs.job_id from jobs where jobs.owner = turns.owner and ${isDue(claim)} order by jobs.run_at, jobs.job_id limit 1
  )`
  const rows = await reader.all(
    db
      .selectFrom(
        sql<{ job_id: string | null }>`(
          with recursive turns(owner, turn) as (
            select ${nextAfter(sql`${afterOwner}`)}, 1
            union all
            select ${nextAfter(sql`turns.owner`)}, turns.turn + 1 from turns
              where turns.owner is not null and turns.turn < ${sql.lit(claim.limit)}
          )
          select ${oldest} as job_id from turns where turns.owner is not null order by turns.turn
        )`.as('found'),
      )
      .select('job_id'),
  )
  return rows.flatMap(({ job_id }) => job_id ?? [])
}

async function findOldest(reader: Reader, claim: DueJobs, withoutOwner: 'is' | 'is not'): Promise<string[]> {
  const query = db
    .selectFrom('jobs')
    .select('job_id')
    .where('owner', withoutOwner, null)
    .where(isDue(claim))
    .orderBy('run_at')
    .orderBy('job_id')
    .limit(claim.limit)
  return (await reader.all(query)).map(({ job_id }) => job_id)
}
