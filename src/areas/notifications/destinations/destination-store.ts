import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import type { Target } from '../../../platform/messaging/port.ts'
import type { NotificationTables } from '../tables.ts'
import type { Destination } from './destination.ts'

const db = queryBuilder<NotificationTables>()
type Row = NotificationTables['destinations']

export type DestinationKey = Pick<Destination, 'applicationId' | 'destinationId'>

/** Returns false if the application already has a destination with the target. */
export async function insertDestination(tx: Transaction, destination: Destination, now: Date): Promise<boolean> {
  const insert = db
    .insertInto('destinations')
    .values(toRow(destination, now))
    .onConflict((conflict) => conflict.doNothing())
  return (await tx.run(insert)) === 1
}

export async function findDestination(reader: Reader, key: DestinationKey): Promise<Destination | undefined> {
  const row = await reader.first(
    db
      .selectFrom('destinations')
      .selectAll()
      .where('application_id', '=', key.applicationId)
      .where('destination_id', '=', key.destinationId),
  )
  return row && fromRow(row)
}

/** Whether another application has registered the queue. */
export async function isQueueOfOtherApplication(reader: Reader, applicationId: string, arn: string): Promise<boolean> {
  const query = db
    .selectFrom('destinations')
    .select('destination_id')
    .where('kind', '=', 'sqs')
    .where('target', '=', arn)
    .where('application_id', '!=', applicationId)
    .limit(1)
  return (await reader.first(query)) !== undefined
}

/** Lists destinations, oldest first. */
export async function listDestinations(reader: Reader, applicationId: string): Promise<Destination[]> {
  const query = db
    .selectFrom('destinations')
    .selectAll()
    .where('application_id', '=', applicationId)
    .orderBy('created_at')
    .orderBy('destination_id')
  return (await reader.all(query)).map(fromRow)
}

/** Lists the queue ARNs of all applications. `souk dev` creates the queues. */
export async function listQueues(reader: Reader): Promise<string[]> {
  const query = db.selectFrom('destinations').select('target').distinct().where('kind', '=', 'sqs')
  return (await reader.all(query)).map(({ target }) => target)
}

export async function hasSubscriptions(reader: Reader, key: DestinationKey): Promise<boolean> {
  const query = db
    .selectFrom('subscriptions')
    .select('subscription_id')
    .where('application_id', '=', key.applicationId)
    .where('destination_id', '=', key.destinationId)
    .limit(1)
  return (await reader.first(query)) !== undefined
}

/** Deletes a destination and its deliveries. Returns false if it does not exist. */
export async function deleteDestination(tx: Transaction, key: DestinationKey): Promise<boolean> {
  const command = db
    .deleteFrom('destinations')
    .where('application_id', '=', key.applicationId)
    .where('destination_id', '=', key.destinationId)
  return (await tx.run(command)) === 1
}

const toRow = ({ applicationId, destinationId, name, target }: Destination, now: Date): Row => ({
  application_id: applicationId,
  destination_id: destinationId,
  name,
  kind: target.kind,
  target: target.kind === 'sqs' ? target.arn : target.accountId,
  region: target.kind === 'sqs' ? null : target.region,
  created_at: now.toISOString(),
})

const fromRow = (row: Row): Destination => ({
  applicationId: row.application_id,
  destinationId: row.destination_id,
  name: row.name,
  target: targetOf(row),
})

const targetOf = (row: Pick<Row, 'kind' | 'target' | 'region'>): Target =>
  row.kind === 'sqs'
    ? { kind: 'sqs', arn: row.target }
    : { kind: 'eventBridge', accountId: row.target, region: row.region ?? '' }
