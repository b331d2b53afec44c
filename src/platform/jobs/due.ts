import { prepare, queryBuilder } from '../database/query.ts'
import type { DueSource } from '../due.ts'
import type { JobTables } from './tables.ts'

const db = queryBuilder<JobTables>()

// A running job has a lease. Its time is the end of the lease, at which nothing happens while its worker lives.
const waiting = prepare((params: { after: string; limit: number }) =>
  db
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'payload', 'run_at', 'failures', 'outage_retries'])
    .where('run_at', '>', params.after)
    .where('lease', 'is', null)
    .orderBy('run_at')
    .orderBy('job_id')
    .limit(params.limit),
)

export const dueJobs: DueSource = {
  async find(reader, after, limit) {
    const rows = await reader.all(waiting, { after: after.toISOString(), limit })
    return rows.map((row) => ({
      kind: row.kind,
      time: new Date(row.run_at),
      id: row.job_id,
      description: `${row.failures + row.outage_retries > 0 ? 'Retry of a job' : 'Job'}: ${row.payload}`,
    }))
  },
}
