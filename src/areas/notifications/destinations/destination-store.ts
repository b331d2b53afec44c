import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isAfter, isOneOf } from '../../../platform/database/tuples.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { Target } from '../../../platform/messaging/port.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import type { NotificationTables } from '../tables.ts'
import type { Destination } from './destination.ts'

const db = queryBuilder<NotificationTables>()
type Row = NotificationTables['destinations']
const KEY = ['application_id', 'destination_id']

export type DestinationKey = Pick<Destination, 'applicationId' | 'destinationId'>

const insertIfNew = prepare((row: Row) =>
  db
    .insertInto('destinations')
    .values({ ...row })
    .onConflict((conflict) => conflict.doNothing()),
)

/** Returns false if the application already has a destination with the target. */
export async function insertDestination(tx: Transaction, destination: Destination, now: Date): Promise<boolean> {
  return (await tx.run(insertIfNew, toRow(destination, now))) === 1
}

/** Skips destinations whose application already has one with the target. */
export async function insertDestinations(
  tx: Transaction,
  destinations: readonly Destination[],
  now: Date,
): Promise<void> {
  if (destinations.length > 0)
    await tx.runEach(
      insertIfNew,
      destinations.map((one) => toRow(one, now)),
    )
}

/** Writes destinations with their own times of creation, for the stand-in. */
export async function writeDestinations(
  tx: Transaction,
  destinations: readonly (Destination & { createdAt: Date })[],
): Promise<void> {
  const rows = destinations.map((one) => toRow(one, one.createdAt))
  await upsertMany(tx, 'destinations', KEY, rows)
}

/** Lists the destinations of all applications. */
export async function listAllDestinations(
  reader: Reader,
  page: PageRequest,
): Promise<(Destination & { createdAt: Date })[]> {
  let query = db
    .selectFrom('destinations')
    .selectAll()
    .orderBy('application_id')
    .orderBy('destination_id')
    .limit(page.limit)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map((row) => ({ ...fromRow(row), createdAt: new Date(row.created_at) }))
}

/** Finds the destinations of all applications that send to one of these queues. */
export async function findDestinationsOfQueues(reader: Reader, arns: readonly string[]): Promise<Destination[]> {
  if (arns.length === 0) return []
  const query = db
    .selectFrom('destinations')
    .selectAll()
    .where('kind', '=', 'sqs')
    .where('target', 'in', [...arns])
  return (await reader.all(query)).map(fromRow)
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

/** Finds destinations of any application, in no particular order. */
export async function findDestinations(reader: Reader, keys: readonly DestinationKey[]): Promise<Destination[]> {
  if (keys.length === 0) return []
  const tuples = keys.map(({ applicationId, destinationId }) => [applicationId, destinationId])
  return (await reader.all(db.selectFrom('destinations').selectAll().where(isOneOf(KEY, tuples)))).map(fromRow)
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
