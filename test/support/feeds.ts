import { Ajv } from 'ajv'
import { expect } from 'vitest'
import type { Feed } from '../../src/areas/feeds/schema.ts'
import type { VirtualClock } from '../../src/index.ts'
import type { Database } from '../../src/platform/database/port.ts'
import { queryBuilder } from '../../src/platform/database/query.ts'
import { eventsIn } from './events.ts'
import { modelsArePresent, readModel } from './public-models.ts'
import { download, registerSeller, SellerClient, US } from './seller-client.ts'
import type { TestSouk } from './souk.ts'
import { waitFor } from './wait-for.ts'

export { DAY, DE, download, HOUR, JP, MINUTE, SECOND, US } from './seller-client.ts'

export const FEEDS = '/feeds/2021-06-30/feeds'
export const DOCUMENTS = '/feeds/2021-06-30/documents'

export const LISTINGS = 'JSON_LISTINGS_FEED'
export const FULFILLMENT = 'POST_ORDER_FULFILLMENT_DATA'
export const ACKNOWLEDGEMENT = 'POST_ORDER_ACKNOWLEDGEMENT_DATA'
export const RETIRED = 'POST_PRODUCT_DATA'

export const JSON_TYPE = 'application/json; charset=UTF-8'
export const XML_TYPE = 'text/xml; charset=UTF-8'

type Fields = Record<string, unknown>
type Content = string | Uint8Array<ArrayBuffer>

export interface ReportIssue {
  messageId?: number
  sku?: string
  code: string
  severity: string
  message: string
  attributeName?: string
}

/** The result of a listings feed. */
export interface ProcessingReport {
  header: Fields
  issues: ReportIssue[]
  summary: Record<string, unknown>
  items?: (Fields & { sku: string })[]
}

export interface Message {
  messageId?: unknown
  sku?: unknown
  operationType?: unknown
  [field: string]: unknown
}

/** A seller's client of feeds. */
export class FeedsClient extends SellerClient {
  readonly sellerId: string

  constructor(souk: TestSouk, { sellerId, refreshToken }: { sellerId: string; refreshToken: string } = souk.demo) {
    super(souk, refreshToken)
    this.sellerId = sellerId
  }

  createDocument = (fields: unknown = { contentType: JSON_TYPE }) => this.post(DOCUMENTS, fields)

  async createdDocument(contentType = JSON_TYPE): Promise<{ feedDocumentId: string; url: string }> {
    const response = await this.createDocument({ contentType })
    expect(response.statusCode, response.body).toBe(201)
    return response.json()
  }

  /** Uploads a document and returns its id. */
  async uploaded(content: Content, contentType = JSON_TYPE): Promise<string> {
    const { feedDocumentId, url } = await this.createdDocument(contentType)
    const response = await upload(url, content, contentType)
    expect(response.status, response.body).toBe(200)
    return feedDocumentId
  }

  /** Default: a listings feed for the United States. */
  createFeed = (fields: Fields) => this.post(FEEDS, { feedType: LISTINGS, marketplaceIds: [US], ...fields })

  /** Uploads a document, creates a feed and returns its id. */
  async submitted(content: Content, fields: Fields = {}, contentType = JSON_TYPE): Promise<string> {
    const inputFeedDocumentId = await this.uploaded(content, contentType)
    const response = await this.createFeed({ inputFeedDocumentId, ...fields })
    expect(response.statusCode, response.body).toBe(202)
    return response.json().feedId
  }

  async feed(feedId: string): Promise<Feed> {
    const response = await this.get(`${FEEDS}/${feedId}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  async feeds(query: string): Promise<{ feeds: Feed[]; nextToken?: string }> {
    const response = await this.get(`${FEEDS}?${query}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json()
  }

  /** Submits a document and returns the finished feed. For a service without a delay. */
  async finished(content: Content, fields?: Fields, contentType?: string): Promise<Feed> {
    const feedId = await this.submitted(content, fields, contentType)
    await this.souk.idle()
    return this.feed(feedId)
  }

  async documentUrl(documentId = ''): Promise<string> {
    const response = await this.get(`${DOCUMENTS}/${documentId}`)
    expect(response.statusCode, response.body).toBe(200)
    return response.json().url
  }

  async result({ resultFeedDocumentId }: Feed): Promise<string> {
    return download(await this.documentUrl(resultFeedDocumentId))
  }

  /** Returns the result of a listings feed, checked against the public schema. */
  async report(feed: Feed): Promise<ProcessingReport> {
    const report: ProcessingReport = JSON.parse(await this.result(feed))
    expectPublicShape('listings-feed-processing-report-schema-v2.json', report)
    expect(report.header).toMatchObject({ sellerId: this.sellerId, version: '2.0', feedId: feed.feedId })
    return report
  }

  /** A listings document with these messages. Default of messageId: the position from 1. */
  document = (messages: readonly Message[], header: Fields = {}) =>
    JSON.stringify({
      header: { sellerId: this.sellerId, version: '2.0', ...header },
      messages: messages.map((message, index) => ({ messageId: index + 1, ...message })),
    })

  /** Processes messages in a document that satisfies the public schema, and returns the result. */
  async process(messages: readonly Message[], header?: Fields, fields?: Fields): Promise<ProcessingReport> {
    const document = this.document(messages, header)
    expectPublicShape('listings-feed-schema-v2.json', JSON.parse(document))
    return this.processText(document, fields)
  }

  /** Processes any document and returns the result. */
  async processText(document: Content, fields?: Fields): Promise<ProcessingReport> {
    const feed = await this.finished(document, fields)
    expect(feed.processingStatus).toBe('DONE')
    return this.report(feed)
  }
}

export interface UploadResponse {
  status: number
  body: string
  contentType: string | null
  /** S3's error code. */
  code: string | undefined
}

/** Uploads a document; null sends no content type. */
export async function upload(url: string, content: Content, contentType: string | null = JSON_TYPE) {
  // As bytes, because fetch adds a content type to strings.
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const headers = contentType === null ? {} : { 'content-type': contentType }
  const response = await fetch(url, { method: 'PUT', body: bytes, headers })
  const body = await response.text()
  const [, code] = /<Error><Code>(\w+)<\/Code>/.exec(body) ?? []
  return { status: response.status, body, contentType: response.headers.get('content-type'), code }
}

/** Checks a document against a public schema of listings feeds, if the schemas are present. */
export function expectPublicShape(file: string, document: unknown): void {
  if (!modelsArePresent) return
  const ajv = new Ajv({ strict: false })
  expect(ajv.validate(readModel(`feeds/${file}`), document), ajv.errorsText()).toBe(true)
}

export async function addFeedSeller(souk: TestSouk, sellerId: string, marketplaceIds = [US]): Promise<FeedsClient> {
  return new FeedsClient(souk, { sellerId, refreshToken: await registerSeller(souk, sellerId, marketplaceIds) })
}

export const feedIn = (client: FeedsClient, feedId: string, status: Feed['processingStatus']) =>
  waitFor(
    () => client.feed(feedId),
    (feed) => feed.processingStatus === status,
  )

/** Moves the clock until the feed is IN_PROGRESS and its job waits for the delay. */
export async function beginProcessing(client: FeedsClient, clock: VirtualClock, feedId: string, delay: number) {
  await client.souk.idle()
  clock.advance(delay)
  const feed = await feedIn(client, feedId, 'IN_PROGRESS')
  await client.souk.idle()
  return feed
}

export const update = (sku: string, attributes: object, more: Fields = {}): Message => ({
  sku,
  operationType: 'UPDATE',
  productType: 'SHOES',
  attributes,
  ...more,
})
export const partialUpdate = (sku: string, attributes: object): Message => ({
  ...update(sku, attributes),
  operationType: 'PARTIAL_UPDATE',
})
export const patch = (sku: string, ...patches: object[]): Message => ({
  sku,
  operationType: 'PATCH',
  productType: 'SHOES',
  patches,
})
export const remove = (sku: string): Message => ({ sku, operationType: 'DELETE' })

/** The summary of a result without items. */
export const summary = (
  messages: number,
  { invalid = 0, errors = invalid }: { invalid?: number; errors?: number } = {},
) => ({
  errors,
  warnings: 0,
  messagesProcessed: messages,
  messagesAccepted: messages - invalid,
  messagesInvalid: invalid,
})

/** Issues as text: message id, code and attribute. */
export const codesOf = ({ issues }: ProcessingReport) =>
  issues.map(({ messageId, code, attributeName }) => [messageId, code, attributeName].filter(Boolean).join(' '))

interface WatchedTables {
  feeds: { feed_id: string }
  feed_documents: { document_id: string }
  feed_issues: { feed_id: string; position: number }
  jobs: { job_id: string; kind: string; payload: string }
}
const db = queryBuilder<WatchedTables>()

// In a transaction, because plain reads may see an older snapshot.
export const rowsOf = (database: Database, table: 'feeds' | 'feed_documents' | 'feed_issues' | 'jobs') =>
  database.transact((tx) => tx.all(db.selectFrom(table).selectAll()))

/** The FEED_PROCESSING_FINISHED events by feed id. */
export async function finishedEvents(database: Database) {
  const events = (await eventsIn(database)).filter(({ type }) => type === 'FEED_PROCESSING_FINISHED')
  return Map.groupBy(
    events.map(({ sellerId, occurredAt, payload }) => ({ sellerId, occurredAt: occurredAt.toISOString(), payload })),
    ({ payload }) => payload.feedProcessingFinishedNotification.feedId as string,
  )
}
