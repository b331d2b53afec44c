import { prepare, queryBuilder } from '../database/query.ts'
import type { DueSource } from '../due.ts'
import { parseStoredObject } from '../stored-json.ts'
import { errorOfPostponed } from './store.ts'
import type { JobTables } from './tables.ts'

const db = queryBuilder<JobTables>()

// A running job has a lease. Its time is the end of the lease, at which nothing happens while its worker lives.
const waiting = prepare((params: { after: string; limit: number; held: string }) =>
  db
    .selectFrom('jobs')
    .select(['job_id', 'kind', 'payload', 'run_at', 'failures', 'outage_retries'])
    .where('run_at', '>', params.after)
    .where('lease', 'is', null)
    .where((eb) => eb.or([eb('last_error', 'is', null), eb('last_error', '!=', params.held)]))
    .orderBy('run_at')
    .orderBy('job_id')
    .limit(params.limit),
)

/** Jobs that were postponed for the given reason are not due: they only look whether it still holds. */
export const createDueJobs = (heldFor: string): DueSource => ({
  async find(reader, after, limit) {
    const rows = await reader.all(waiting, { after: after.toISOString(), limit, held: errorOfPostponed(heldFor) })
    return rows.map((row) => ({
      kind: row.kind,
      time: new Date(row.run_at),
      id: row.job_id,
      description: `The job ${row.kind} ${row.failures + row.outage_retries > 0 ? 'is retried' : 'runs'}${subjectOf(row.payload)}`,
    }))
  },
})

/** `, with sellerId A1, reportId 5`: what its payload has besides lists and objects. */
function subjectOf(payload: string): string {
  const fields = Object.entries(parseStoredObject(payload) ?? {}).filter(([, value]) => typeof value !== 'object')
  return fields.length === 0 ? '' : `, with ${fields.map(([name, value]) => `${name} ${value}`).join(', ')}`
}
