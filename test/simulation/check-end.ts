import { gunzipSync } from 'node:zlib'
import type { Database } from '../../src/platform/database/port.ts'
import { keyOf } from './action-context.ts'
import { createActions } from './actions.ts'
import { checkEvents } from './check-events.ts'
import { checkNotifications } from './check-notifications.ts'
import { type Client, type ClientDependencies, isSuccess } from './client.ts'
import { isLinearizable } from './linearizability.ts'
import { type ListingInput, listingModel } from './listing-model.ts'
import { type Arrival, type Bucket, SCHEME } from './ports.ts'
import { isSkuOfAnother, SKUS_PER_SELLER, type Step } from './steps.ts'
import { countWork, isDone, listEvents, listGivenUpJobs } from './stored-work.ts'

export interface EndDependencies extends ClientDependencies {
  client: Client
  database: Database
  bucket: Bucket
  arrivals: readonly Arrival[]
  steps: readonly Step[]
}

/** Checks, after everything has come to rest, that nothing was lost, repeated, or seen by the wrong seller. */
export async function checkEnd(dependencies: EndDependencies): Promise<void> {
  const { database, clock, history, violate } = dependencies
  const left = await countWork(database, clock.now())
  if (!isDone(left)) violate('all work ends', `left: ${JSON.stringify(left)}`)
  for (const job of await listGivenUpJobs(database)) violate('no job is given up', `${job.kind}: ${job.last_error}`)
  await readEverything(dependencies)
  await checkFeeds(dependencies)
  await checkReports(dependencies)
  for (const [key, operations] of history.operations) {
    const verdict = isLinearizable(listingModel, operations)
    if (verdict === false) violate('a serial order explains listings and stock', describe(key, operations))
  }
  for (const [orderId, times] of history.solicitations) {
    if (times > 1) violate('one solicitation per order', `${times} for ${orderId}`)
  }
  const events = await listEvents(database)
  checkEvents(dependencies, events)
  checkNotifications(dependencies, events)
}

/** The last reads of all listings and orders: what was acknowledged must be there. */
async function readEverything(dependencies: EndDependencies): Promise<void> {
  const { client, steps, scheduler, clock, history, marketplace, random, instances, violate } = dependencies
  const perform = createActions({
    ...{ client, scheduler, clock, history, marketplace, random, instances, violate },
    steps: new Map(steps.map((step) => [step.id, step])),
    put: () => {},
    lastEvent: async () => 0,
  })
  let id = 1_000_000
  for (const seller of marketplace.sellers.keys()) {
    for (let sku = 0; sku < SKUS_PER_SELLER; sku++) {
      if (history.operations.has(keyOf(seller, sku)))
        await perform({ do: 'readListing', seller, sku, id: ++id, pause: 0 })
    }
  }
  for (const step of steps) {
    if (step.do === 'order') await perform({ do: 'readOrder', seller: step.seller, order: step.id, id: ++id, pause: 0 })
  }
}

/** Every feed has ended, and its result has each message once. Adds the messages to the history. */
async function checkFeeds({ client, history, bucket, violate }: EndDependencies): Promise<void> {
  for (const [step, feed] of history.feeds) {
    const { seller, feedId, invokedAt, endedAt, isCanceled, messages, operations } = feed
    const add = (messages: typeof operations, isCertain: boolean) => {
      for (const { key, input } of messages) {
        const returnedAt = isCertain ? endedAt : Number.POSITIVE_INFINITY
        history.add(key, { step, input, invokedAt, returnedAt, isCertain })
      }
    }
    if (feedId === undefined) {
      add(operations, false)
      continue
    }
    const found = await client.send(seller, 'GET', `/feeds/2021-06-30/feeds/${feedId}`)
    if (!isSuccess(found)) {
      violate('nothing acknowledged is lost', `feed ${feedId}: ${JSON.stringify(found)}`)
      continue
    }
    const { processingStatus, resultFeedDocumentId } = found.json() as Record<string, string>
    const expected = isCanceled ? 'CANCELLED' : 'DONE'
    if (processingStatus === 'CANCELLED' && !isCanceled) continue
    if (processingStatus !== expected) violate('every feed ends', `feed ${feedId} is ${processingStatus}`)
    if (isCanceled || resultFeedDocumentId === undefined) continue
    const reply = await client.send(seller, 'GET', `/feeds/2021-06-30/documents/${resultFeedDocumentId}`)
    const url = isSuccess(reply) ? (reply.json() as { url: string }).url : ''
    const stored = bucket.find(url.slice(SCHEME.length))
    if (!stored) {
      violate('nothing acknowledged is lost', `the result of feed ${feedId}`)
      continue
    }
    const { processed, counted, rejected } = parseResult(gunzipSync(stored.bytes).toString())
    if (processed !== messages || counted !== messages) {
      violate('a feed processes each message once', `feed ${feedId}: ${processed} and ${counted} of ${messages}`)
    }
    add(
      operations.filter(({ messageId }) => !rejected.has(messageId)),
      true,
    )
  }
}

/** `counted`: the accepted and the rejected messages together. */
function parseResult(text: string): { processed: number; counted: number; rejected: Set<number> } {
  if (text.startsWith('{')) {
    const { summary, issues } = JSON.parse(text) as {
      summary: { messagesProcessed: number; messagesAccepted: number; messagesInvalid: number }
      issues: { messageId?: number; severity: string }[]
    }
    const errors = issues.filter(({ severity }) => severity === 'ERROR')
    const counted = summary.messagesAccepted + summary.messagesInvalid
    return {
      processed: summary.messagesProcessed,
      counted,
      rejected: new Set(errors.map(({ messageId }) => messageId ?? 0)),
    }
  }
  const numberIn = (name: string) => Number(new RegExp(`<${name}>(\\d+)<`).exec(text)?.[1])
  const counted = numberIn('MessagesSuccessful') + numberIn('MessagesWithError')
  const results = text.matchAll(/<MessageID>(\d+)<\/MessageID>\s*<ResultCode>Error/g)
  return {
    processed: numberIn('MessagesProcessed'),
    counted,
    rejected: new Set([...results].map(([, id]) => Number(id))),
  }
}

/** Every report has ended, and has all orders that were acknowledged before it was asked for, and no others' data. */
async function checkReports({ client, history, bucket, violate }: EndDependencies): Promise<void> {
  for (const { seller, type, reportId, invokedAt, isCanceled } of history.reports.values()) {
    const found = await client.send(seller, 'GET', `/reports/2021-06-30/reports/${reportId}`)
    if (!isSuccess(found)) {
      violate('nothing acknowledged is lost', `report ${reportId}`)
      continue
    }
    const { processingStatus, reportDocumentId } = found.json() as Record<string, string>
    const isEnded = processingStatus === 'DONE' || processingStatus === 'CANCELLED'
    if (!isEnded) violate('every report ends', `report ${reportId} is ${processingStatus}`)
    if (isCanceled || processingStatus !== 'DONE') continue
    const reply = await client.send(seller, 'GET', `/reports/2021-06-30/documents/${reportDocumentId}`)
    const url = isSuccess(reply) ? (reply.json() as { url: string }).url : ''
    const stored = bucket.find(url.slice(SCHEME.length))
    if (!stored) {
      violate('nothing acknowledged is lost', `the document of report ${reportId}`)
      continue
    }
    const text = gunzipSync(stored.bytes).toString()
    const [leaked] = text.match(isSkuOfAnother(seller)) ?? []
    if (leaked) violate('no seller sees data of another', `report ${reportId} of seller ${seller} has ${leaked}`)
    if (!type.includes('ALL_ORDERS')) continue
    for (const [orderId, placed] of history.placed) {
      if (placed.seller !== seller || placed.returnedAt >= invokedAt || text.includes(orderId)) continue
      violate('nothing acknowledged is lost', `report ${reportId} lacks the order ${orderId}`)
    }
  }
}

const describe = (
  key: string,
  operations: readonly {
    step: number
    input: ListingInput
    invokedAt: number
    returnedAt: number
    isCertain: boolean
  }[],
) =>
  [
    `listing ${key}`,
    ...[...operations]
      .sort((one, other) => one.invokedAt - other.invokedAt)
      .map(
        ({ step, input, invokedAt, returnedAt, isCertain }) =>
          `  step ${step} [${invokedAt}, ${returnedAt}]${isCertain ? '' : ' no response'} ${JSON.stringify(input)}`,
      ),
  ].join('\n')
