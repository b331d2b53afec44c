import type { Database, Reader, Transaction } from '../../../platform/database/port.ts'
import { queryBuilder } from '../../../platform/database/query.ts'
import { prepareInserts } from '../../../platform/database/upsert.ts'
import type { FeedIssue, FeedKey } from '../feed.ts'
import type { FeedTables } from '../tables.ts'

const db = queryBuilder<FeedTables>()
type Row = FeedTables['feed_issues']

const insert = prepareInserts<Row>('feed_issues', {
  numbers: ['position', 'message_id'],
  existing: ['seller_id', 'feed_id', 'position'],
})

const PAGE_ROWS = 500

/** `firstPosition` is the number of issues that the feed already has. */
export async function insertIssues(
  tx: Transaction,
  { sellerId, feedId }: FeedKey,
  firstPosition: number,
  issues: readonly FeedIssue[],
): Promise<void> {
  const rows = issues.map((issue, index) => ({
    seller_id: sellerId,
    feed_id: feedId,
    position: firstPosition + index,
    message_id: issue.messageId ?? null,
    sku: issue.sku ?? null,
    code: issue.code,
    severity: issue.severity,
    message: issue.message,
    attribute: issue.attribute ?? null,
  }))
  await insert(tx, rows)
}

/** Yields pages of issues in the order of the messages. */
export async function* readIssues(database: Database, key: FeedKey): AsyncGenerator<FeedIssue[]> {
  for (let after = -1; ; ) {
    const rows = await database.read((reader) => readPage(reader, key, after))
    if (rows.length > 0) yield rows.map(fromRow)
    if (rows.length < PAGE_ROWS) return
    after = rows.at(-1)?.position ?? after
  }
}

const pageOf = ({ sellerId, feedId }: FeedKey, after: number, limit: number) =>
  db
    .selectFrom('feed_issues')
    .where('seller_id', '=', sellerId)
    .where('feed_id', '=', feedId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)

const readPage = (reader: Reader, key: FeedKey, after: number): Promise<Row[]> =>
  reader.all(pageOf(key, after, PAGE_ROWS).selectAll())

/**
 * Deletes the next issues of a feed in the order of the messages. Returns the position of the last one, and how many
 * there were.
 */
export async function deleteIssuesAfter(
  tx: Transaction,
  key: FeedKey,
  after: number,
  limit: number,
): Promise<{ last: number; deleted: number }> {
  const positions = await tx.all(pageOf(key, after, limit).select('position'))
  const last = positions.at(-1)?.position
  if (last === undefined) return { last: after, deleted: 0 }
  await tx.run(
    db
      .deleteFrom('feed_issues')
      .where('seller_id', '=', key.sellerId)
      .where('feed_id', '=', key.feedId)
      // From where the last step ended: PostgreSQL would read its deleted rows again.
      .where('position', '>', after)
      .where('position', '<=', last),
  )
  return { last, deleted: positions.length }
}

const fromRow = (row: Row): FeedIssue => ({
  ...(row.message_id !== null && { messageId: row.message_id }),
  ...(row.sku !== null && { sku: row.sku }),
  code: row.code,
  severity: row.severity as FeedIssue['severity'],
  message: row.message,
  ...(row.attribute !== null && { attribute: row.attribute }),
})
