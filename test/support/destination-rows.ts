import type { NotificationTables } from '../../src/areas/notifications/tables.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'

const ROWS_PER_INSERT = 1_500

const db = queryBuilder<NotificationTables & { applications: Record<string, string> }>()

interface DestinationRows {
  applicationId: string
  destinationId: string
  dueAt: Date
  /** Consecutive failures. */
  failures?: number
  /** Pending deliveries. */
  deliveries?: number
}

/** Inserts a destination that is due, with its application and deliveries. */
export async function insertDestination(
  database: Database,
  { applicationId, destinationId, dueAt, failures = 0, deliveries = 0 }: DestinationRows,
): Promise<void> {
  const due_at = dueAt.toISOString()
  const key = { application_id: applicationId, destination_id: destinationId }
  const application = {
    application_id: applicationId,
    name: applicationId,
    client_id: applicationId,
    client_secret_digest: '',
    signing_key_id: applicationId,
  }
  const destination = {
    ...key,
    name: destinationId,
    kind: 'sqs',
    target: destinationId,
    region: null,
    created_at: due_at,
  }
  const turn = { ...key, due_at, lease: null, failures, last_error: null }
  await database.transact(async (tx) => {
    await tx.run(
      db
        .insertInto('applications')
        .values(application)
        .onConflict((conflict) => conflict.doNothing()),
    )
    await tx.run(db.insertInto('destinations').values(destination))
    await tx.run(db.insertInto('delivery_turns').values(turn))
  })
  await insertPendingDeliveries(database, { applicationId, destinationId, dueAt }, deliveries)
}

let inserted = 0

export async function insertPendingDeliveries(
  database: Database,
  { applicationId, destinationId, dueAt }: Pick<DestinationRows, 'applicationId' | 'destinationId' | 'dueAt'>,
  count: number,
): Promise<void> {
  const due_at = dueAt.toISOString()
  const rows = Array.from({ length: count }, () => {
    const id = String(inserted++).padStart(8, '0')
    return {
      application_id: applicationId,
      destination_id: destinationId,
      delivery_id: id,
      event_id: id,
      seller_id: null,
      subscription_id: null,
      notification_type: 'ORDER_CHANGE',
      payload_version: '1.0',
      state: 'PENDING',
      due_at,
      event_time: due_at,
      attempts: 0,
      last_error: null,
      payload: '{}',
    }
  })
  await database.transact(async (tx) => {
    for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
      await tx.run(db.insertInto('deliveries').values(rows.slice(from, from + ROWS_PER_INSERT)))
    }
  })
}
