import { sql } from 'kysely'
import { type ListRequest, listConditions } from '../../../document-requests/list-query.ts'
import { type ProcessingStatus, previousStatuses } from '../../../document-requests/status.ts'
import type { Reader, Transaction } from '../../../platform/database/port.ts'
import { prepare, prepareLookup, queryBuilder } from '../../../platform/database/query.ts'
import { isOneOf } from '../../../platform/database/tuples.ts'
import type { Feed, FeedKey, Progress } from '../feed.ts'
import type { FeedTables } from '../tables.ts'

const db = queryBuilder<FeedTables>()
type Row = FeedTables['feeds']

// As the index of unfinished feeds has it.
const isOpen = sql<boolean>`status in ('IN_QUEUE', 'IN_PROGRESS')`

const findById = prepareLookup((key: { sellerId: string; feedId: string }) =>
  db.selectFrom('feeds').selectAll().where('seller_id', '=', key.sellerId).where('feed_id', '=', key.feedId),
)

/** Returns false if the seller already has a feed with this id. */
export async function insertFeed(tx: Transaction, feed: Feed): Promise<boolean> {
  const insert = db
    .insertInto('feeds')
    .values(toRow(feed))
    .onConflict((conflict) => conflict.doNothing())
  return (await tx.run(insert)) === 1
}

export async function findFeed(reader: Reader, { sellerId, feedId }: FeedKey): Promise<Feed | undefined> {
  const row = await reader.first(findById, { sellerId, feedId })
  return row && fromRow(row)
}

export async function findFeedByResult(
  reader: Reader,
  sellerId: string,
  documentId: string,
): Promise<Feed | undefined> {
  const query = db
    .selectFrom('feeds')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('result_document_id', '=', documentId)
  const row = await reader.first(query)
  return row && fromRow(row)
}

/** Finds the seller's unfinished feed that has a job, or the oldest unfinished feed. */
export async function findNextFeed(reader: Reader, sellerId: string): Promise<Feed | undefined> {
  const query = db
    .selectFrom('feeds')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where('status', 'in', ['IN_QUEUE', 'IN_PROGRESS'])
    .orderBy('has_turn', 'desc')
    .orderBy('created_at')
    .orderBy('feed_id')
    .limit(1)
  const row = await reader.first(query)
  return row && fromRow(row)
}

const newestOpen = prepare((params: { sellerId: string; hasTurn: number }) =>
  db
    .selectFrom('feeds')
    .select('created_at')
    .where('seller_id', '=', params.sellerId)
    .where('has_turn', '=', params.hasTurn)
    .where(isOpen)
    .orderBy('created_at', 'desc')
    .limit(1),
)

/** The creation time of the seller's newest unfinished feed. */
export async function findNewestCreation(reader: Reader, sellerId: string): Promise<Date | undefined> {
  // Two ends of the index, because one query for both would read all feeds of the seller.
  const rows = await Promise.all([0, 1].map((hasTurn) => reader.first(newestOpen, { sellerId, hasTurn })))
  const newest = rows.flatMap((row) => (row ? [row.created_at] : [])).sort()
  return newest.length === 0 ? undefined : new Date(newest.at(-1) as string)
}

/** Feeds of which some messages are applied, and not all. */
export async function listFeedsInProgress(reader: Reader, limit: number): Promise<Feed[]> {
  const query = db
    .selectFrom('feeds')
    .selectAll()
    .where(isOpen)
    .where('has_turn', '=', 1)
    .where('applied', '>', 0)
    .orderBy('seller_id')
    .orderBy('feed_id')
    .limit(limit)
  return (await reader.all(query)).map(fromRow)
}

// As the index of waiting feeds has it.
const waiting = () => db.selectFrom('feeds').where(isOpen).where(sql<boolean>`has_turn = 0`)

const countUpTo = prepare((params: { max: number }) =>
  db
    .selectFrom(waiting().select('feed_id').limit(params.max).as('counted'))
    .select((eb) => eb.fn.countAll<number>().as('count')),
)

/** Counts at most `max` feeds that wait for an earlier feed of their seller. */
export async function countWaiting(reader: Reader, max: number): Promise<number> {
  return (await reader.first(countUpTo, { max }))?.count ?? 0
}

const oldestWaiting = prepare((_: object) => waiting().select('created_at').orderBy('created_at').limit(1))

/** When the oldest of them was created. */
export async function findOldestWaiting(reader: Reader): Promise<Date | undefined> {
  const row = await reader.first(oldestWaiting, {})
  return row && new Date(row.created_at)
}

export async function markHasJob(tx: Transaction, key: FeedKey): Promise<void> {
  await tx.run(db.updateTable('feeds').set({ has_turn: 1 }).where(isFeed(key)))
}

/** Newest first. Returns one feed more than the page size if there are more. */
export async function listFeeds(reader: Reader, sellerId: string, request: ListRequest): Promise<Feed[]> {
  const query = db
    .selectFrom('feeds')
    .selectAll()
    .where('seller_id', '=', sellerId)
    .where(listConditions(request, { id: 'feed_id', type: 'feed_type' }))
    .orderBy('created_at', 'desc')
    .orderBy('feed_id', 'desc')
    .limit(request.pageSize + 1)
  return (await reader.all(query)).map(fromRow)
}

/** Returns false if the current status does not allow the transition. */
export async function updateFeedStatus(
  tx: Transaction,
  { sellerId, feedId }: FeedKey,
  status: ProcessingStatus,
  changes: Partial<Pick<Feed, 'startedAt' | 'endedAt' | 'resultDocumentId'>> = {},
): Promise<boolean> {
  const update = db
    .updateTable('feeds')
    .set({
      status,
      ...(changes.startedAt && { started_at: changes.startedAt.toISOString() }),
      ...(changes.endedAt && { ended_at: changes.endedAt.toISOString() }),
      ...(changes.resultDocumentId && { result_document_id: changes.resultDocumentId }),
    })
    .where('seller_id', '=', sellerId)
    .where('feed_id', '=', feedId)
    .where('status', 'in', previousStatuses(status))
  return (await tx.run(update)) === 1
}

const progress = prepare(({ sellerId, feedId, ...counts }: FeedKey & Progress & { messages: number }) =>
  db
    .updateTable('feeds')
    .set({
      applied: counts.applied,
      accepted: counts.accepted,
      invalid: counts.invalid,
      errors: counts.errors,
      warnings: counts.warnings,
      messages: counts.messages,
    })
    .where('seller_id', '=', sellerId)
    .where('feed_id', '=', feedId),
)

export const recordProgress = (
  tx: Transaction,
  { sellerId, feedId }: FeedKey,
  counts: Progress & { messages: number },
): Promise<void> => tx.runEach(progress, [{ sellerId, feedId, ...counts }])

/** Puts a feed whose job was given up (FATAL without a result) back in the queue. Returns false if it is not such a feed. */
export async function resetFeed(tx: Transaction, key: FeedKey): Promise<boolean> {
  const reset = db
    .updateTable('feeds')
    .set({ status: 'IN_QUEUE', has_turn: 0, started_at: null, ended_at: null })
    .where(isFeed(key))
    .where('status', '=', 'FATAL')
    .where('result_document_id', 'is', null)
  return (await tx.run(reset)) === 1
}

export async function clearResult(tx: Transaction, key: FeedKey): Promise<void> {
  await tx.run(db.updateTable('feeds').set({ result_document_id: null }).where(isFeed(key)))
}

const isFeed = ({ sellerId, feedId }: FeedKey) => isOneOf(['seller_id', 'feed_id'], [[sellerId, feedId]])

/** Finds feeds of all sellers whose retention is over. */
export async function findExpiredFeeds(
  reader: Reader,
  before: Date,
  { limit, skip }: { limit: number; skip: number },
): Promise<Feed[]> {
  const query = db
    .selectFrom('feeds')
    .selectAll()
    .where('created_at', '<', before.toISOString())
    .orderBy('created_at')
    .orderBy('feed_id')
    .limit(limit)
    .offset(skip)
  return (await reader.all(query)).map(fromRow)
}

/** Deletes feeds with the rows of their documents. Their issues have to be deleted first: there can be very many. */
export async function deleteFeeds(tx: Transaction, feeds: readonly Feed[]): Promise<void> {
  const documents = feeds.map(({ sellerId, inputDocumentId }) => [sellerId, inputDocumentId])
  await tx.run(db.deleteFrom('feed_documents').where(isOneOf(['seller_id', 'document_id'], documents)))
  const keys = feeds.map(({ sellerId, feedId }) => [sellerId, feedId])
  await tx.run(db.deleteFrom('feeds').where(isOneOf(['seller_id', 'feed_id'], keys)))
}

const toRow = (feed: Feed): Row => ({
  seller_id: feed.sellerId,
  feed_id: feed.feedId,
  application_id: feed.applicationId ?? null,
  feed_type: feed.feedType,
  marketplace_ids: JSON.stringify(feed.marketplaceIds),
  options: JSON.stringify(feed.options),
  status: feed.status,
  created_at: feed.createdAt.toISOString(),
  has_turn: Number(feed.hasJob),
  started_at: feed.startedAt?.toISOString() ?? null,
  ended_at: feed.endedAt?.toISOString() ?? null,
  input_document_id: feed.inputDocumentId,
  input_version: feed.inputVersion ?? null,
  result_document_id: feed.resultDocumentId ?? null,
  ...feed.progress,
  messages: feed.messages ?? null,
})

const fromRow = (row: Row): Feed => ({
  sellerId: row.seller_id,
  feedId: row.feed_id,
  ...(row.application_id !== null && { applicationId: row.application_id }),
  feedType: row.feed_type,
  marketplaceIds: JSON.parse(row.marketplace_ids),
  options: JSON.parse(row.options),
  status: row.status as ProcessingStatus,
  createdAt: new Date(row.created_at),
  hasJob: row.has_turn === 1,
  ...(row.started_at !== null && { startedAt: new Date(row.started_at) }),
  ...(row.ended_at !== null && { endedAt: new Date(row.ended_at) }),
  inputDocumentId: row.input_document_id,
  ...(row.input_version !== null && { inputVersion: row.input_version }),
  ...(row.result_document_id !== null && { resultDocumentId: row.result_document_id }),
  progress: {
    applied: row.applied,
    accepted: row.accepted,
    invalid: row.invalid,
    errors: row.errors,
    warnings: row.warnings,
  },
  ...(row.messages !== null && { messages: row.messages }),
})

/** Ids of a seller's feeds, newest first. */
export async function listFeedIds(reader: Reader, sellerId: string, limit: number): Promise<string[]> {
  const query = db.selectFrom('feeds').select('feed_id').where('seller_id', '=', sellerId)
  return (await reader.all(query.orderBy('created_at', 'desc').limit(limit))).map((row) => row.feed_id)
}

/** Ids of the result documents of a seller's feeds, newest first. */
export async function listResultDocumentIds(reader: Reader, sellerId: string, limit: number): Promise<string[]> {
  const query = db
    .selectFrom('feeds')
    .select('result_document_id')
    .where('seller_id', '=', sellerId)
    .where('result_document_id', 'is not', null)
    .where('status', 'in', ['DONE', 'FATAL'])
  const rows = await reader.all(query.orderBy('created_at', 'desc').limit(limit))
  return rows.map((row) => row.result_document_id as string)
}
