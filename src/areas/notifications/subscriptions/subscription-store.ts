import { lookUpEach } from '../../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../../platform/database/query.ts'
import { isAfter } from '../../../platform/database/tuples.ts'
import { upsertMany } from '../../../platform/database/upsert.ts'
import type { PageRequest } from '../../../platform/paging.ts'
import type { ProcessingDirective } from '../schema.ts'
import type { NotificationTables } from '../tables.ts'

export interface Subscription {
  sellerId: string
  applicationId: string
  notificationType: string
  payloadVersion: string
  subscriptionId: string
  destinationId: string
  directive?: ProcessingDirective
  createdAt: Date
}

const db = queryBuilder<NotificationTables>()
type Row = NotificationTables['subscriptions']
const KEY = ['seller_id', 'application_id', 'notification_type', 'payload_version'] satisfies (keyof Row)[]

const oldest = prepare((_: object) =>
  db.selectFrom('subscriptions').select('created_at').orderBy('created_at').limit(1),
)

/** Returns false if the seller already has a subscription with the type and version. */
export async function insertSubscription(tx: Transaction, subscription: Subscription): Promise<boolean> {
  const insert = db
    .insertInto('subscriptions')
    .values(toRow(subscription))
    .onConflict((conflict) => conflict.doNothing())
  return (await tx.run(insert)) === 1
}

/** Writes many at once, for the stand-in. */
export async function writeSubscriptions(tx: Transaction, subscriptions: readonly Subscription[]): Promise<void> {
  await upsertMany(tx, 'subscriptions', KEY, subscriptions.map(toRow))
}

/** Lists the subscriptions of all sellers and applications. */
export async function listAllSubscriptions(reader: Reader, page: PageRequest): Promise<Subscription[]> {
  let query = db.selectFrom('subscriptions').selectAll().limit(page.limit)
  for (const column of KEY) query = query.orderBy(column)
  if (page.after) query = query.where(isAfter(KEY, page.after))
  return (await reader.all(query)).map(fromRow)
}

export interface SubscriptionSubject extends Pick<Subscription, 'sellerId' | 'notificationType'> {
  /** Absent for those of all applications. */
  applicationId?: string
}

/** Finds the subscriptions for a seller: at most one per payload version and application. */
export async function listSubscriptions(reader: Reader, subject: SubscriptionSubject): Promise<Subscription[]> {
  let query = db
    .selectFrom('subscriptions')
    .selectAll()
    .where('seller_id', '=', subject.sellerId)
    .where('notification_type', '=', subject.notificationType)
    .orderBy('payload_version')
  if (subject.applicationId !== undefined) query = query.where('application_id', '=', subject.applicationId)
  return (await reader.all(query)).map(fromRow)
}

/** Ids of the subscriptions to a type that a caller may read: of a seller, of an application, or of both. */
export async function listSubscriptionIds(
  reader: Reader,
  subject: Partial<SubscriptionSubject> & Pick<SubscriptionSubject, 'notificationType'> & { limit: number },
): Promise<string[]> {
  const { sellerId, applicationId, notificationType, limit } = subject
  let query = db.selectFrom('subscriptions').select('subscription_id').where('notification_type', '=', notificationType)
  if (sellerId !== undefined) query = query.where('seller_id', '=', sellerId)
  if (applicationId !== undefined) query = query.where('application_id', '=', applicationId)
  return (await reader.all(query.orderBy('subscription_id').limit(limit))).map((row) => row.subscription_id)
}

/** Lists the subscriptions for a seller to all types, or to one. */
export async function listSellerSubscriptions(
  reader: Reader,
  { limit, ...subject }: Partial<SubscriptionSubject> & { sellerId: string; limit: number },
): Promise<Subscription[]> {
  let query = db.selectFrom('subscriptions').selectAll().where('seller_id', '=', subject.sellerId).limit(limit)
  for (const column of KEY) query = query.orderBy(column)
  const { applicationId, notificationType } = subject
  if (applicationId !== undefined) query = query.where('application_id', '=', applicationId)
  if (notificationType !== undefined) query = query.where('notification_type', '=', notificationType)
  return (await reader.all(query)).map(fromRow)
}

export async function findSubscription(
  reader: Reader,
  applicationId: string,
  subscriptionId: string,
): Promise<Subscription | undefined> {
  const query = db
    .selectFrom('subscriptions')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('subscription_id', '=', subscriptionId)
  const row = await reader.first(query)
  return row && fromRow(row)
}

/** Finds a subscription for a seller, whichever application created it. */
export async function findSubscriptionOf(
  reader: Reader,
  sellerId: string,
  subscriptionId: string,
): Promise<Subscription | undefined> {
  const query = db
    .selectFrom('subscriptions')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('subscription_id', '=', subscriptionId)
  const row = await reader.first(query)
  return row && fromRow(row)
}

/** Deletes a subscription and its deliveries. */
export async function deleteSubscription(
  tx: Transaction,
  applicationId: string,
  subscriptionId: string,
): Promise<void> {
  await tx.run(
    db
      .deleteFrom('subscriptions')
      .where('application_id', '=', applicationId)
      .where('subscription_id', '=', subscriptionId),
  )
}

/** Finds the ids of an application's subscriptions for a seller: at most one per type and version. */
export async function subscriptionIdsOf(
  reader: Reader,
  { sellerId, applicationId }: Pick<Subscription, 'sellerId' | 'applicationId'>,
): Promise<string[]> {
  const query = db
    .selectFrom('subscriptions')
    .select('subscription_id')
    .where('seller_id', '=', sellerId)
    .where('application_id', '=', applicationId)
  return (await reader.all(query)).map((row) => row.subscription_id)
}

/** Returns the creation time of the oldest subscription. */
export async function findOldestSubscriptionTime(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(oldest, {})
  return row && new Date(row.created_at)
}

/** Returns whether there is a subscription to one of the types. */
export async function isSubscribed(reader: Reader, types: readonly string[]): Promise<boolean> {
  const query = db
    .selectFrom('subscriptions')
    .select('subscription_id')
    .where('notification_type', 'in', [...types])
    .limit(1)
  return (await reader.first(query)) !== undefined
}

const sellersAfter = prepare((params: { notificationType: string; after: string; limit: number }) =>
  db
    .selectFrom('subscriptions')
    .select('seller_id')
    .distinct()
    .where('notification_type', '=', params.notificationType)
    .where('seller_id', '>', params.after)
    .orderBy('seller_id')
    .limit(params.limit),
)

/** Lists sellers with a subscription to a type. */
export async function listSubscribedSellers(
  reader: Reader,
  notificationType: string,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<string[]> {
  return (await reader.all(sellersAfter, { notificationType, after, limit })).map((row) => row.seller_id)
}

/** The subject of a subscription: a notification type and a seller. */
export type Topic = Pick<Subscription, 'notificationType' | 'sellerId'>

export const topicId = ({ notificationType, sellerId }: Topic) => `${notificationType} ${sellerId}`

const ofTopics = prepare((params: { topics: string; limit: number }, dialect) =>
  db
    .selectFrom(
      lookUpEach<Row>(params.topics, dialect, {
        table: 'subscriptions',
        by: ['notification_type', 'seller_id'],
        several: true,
      }),
    )
    .selectAll()
    .limit(params.limit),
)

/** Finds all subscriptions to the topics, which are distinct. Returns undefined if there are more than the limit. */
export async function findSubscriptions(
  reader: Reader,
  topics: readonly Topic[],
  limit: number,
): Promise<Subscription[] | undefined> {
  if (topics.length === 0) return []
  const tuples = topics.map(({ notificationType, sellerId }) => [notificationType, sellerId])
  const rows = await reader.all(ofTopics, { topics: JSON.stringify(tuples), limit: limit + 1 })
  return rows.length > limit ? undefined : rows.map(fromRow)
}

const pageOfTopic = prepare((params: Topic & { after: string; limit: number }) =>
  db
    .selectFrom('subscriptions')
    .selectAll()
    .where('notification_type', '=', params.notificationType)
    .where('seller_id', '=', params.sellerId)
    .where('subscription_id', '>', params.after)
    .orderBy('subscription_id')
    .limit(params.limit),
)

/** Lists the subscriptions to a topic by id. */
export async function listTopicSubscriptions(
  reader: Reader,
  { notificationType, sellerId }: Topic,
  { after = '', limit }: { after: string | undefined; limit: number },
): Promise<Subscription[]> {
  return (await reader.all(pageOfTopic, { notificationType, sellerId, after, limit })).map(fromRow)
}

const toRow = (subscription: Subscription): Row => ({
  seller_id: subscription.sellerId,
  application_id: subscription.applicationId,
  notification_type: subscription.notificationType,
  payload_version: subscription.payloadVersion,
  subscription_id: subscription.subscriptionId,
  destination_id: subscription.destinationId,
  directive: subscription.directive ? JSON.stringify(subscription.directive) : null,
  created_at: subscription.createdAt.toISOString(),
})

const fromRow = (row: Row): Subscription => ({
  sellerId: row.seller_id,
  applicationId: row.application_id,
  notificationType: row.notification_type,
  payloadVersion: row.payload_version,
  subscriptionId: row.subscription_id,
  destinationId: row.destination_id,
  ...(row.directive !== null && { directive: JSON.parse(row.directive) }),
  createdAt: new Date(row.created_at),
})
