import { type ActionContext, keyOf } from './action-context.ts'
import { isSuccess } from './client.ts'
import type { CreatedFeed } from './history.ts'
import type { ListingInput } from './listing-model.ts'
import { toAttributes, toPatches } from './listing-requests.ts'
import { US } from './marketplace.ts'
import { type ClientAction, type ListingChange, orderIdOf, skuOf } from './steps.ts'

const FEEDS = '/feeds/2021-06-30/feeds'
const FINAL = ['DONE', 'CANCELLED', 'FATAL']

type FeedAction = Extract<ClientAction, { do: 'readFeed' | 'cancelFeed' }>

export function createFeedActions({ client, history, marketplace, scheduler, put, steps }: ActionContext) {
  /** Uploads a document and creates the feed. */
  async function submit(
    seller: number,
    step: number,
    feedType: string,
    contentType: string,
    document: string,
    messages: number,
    operations: CreatedFeed['operations'],
  ): Promise<void> {
    const created = await client.send(seller, 'POST', '/feeds/2021-06-30/documents', { contentType })
    if (!isSuccess(created)) return
    const { feedDocumentId, url } = created.json() as { feedDocumentId: string; url: string }
    put(url, document)
    const invokedAt = scheduler.turn
    const body = { feedType, marketplaceIds: [US], inputFeedDocumentId: feedDocumentId }
    const reply = await client.send(seller, 'POST', FEEDS, body)
    if (reply !== 'lost' && !isSuccess(reply)) return
    const feedId = reply === 'lost' ? undefined : (reply.json() as { feedId: string }).feedId
    const endedAt = Number.POSITIVE_INFINITY
    history.feeds.set(step, { seller, feedId, invokedAt, endedAt, isCanceled: false, messages, operations })
  }

  return {
    feed({ seller, messages }: Extract<ClientAction, { do: 'feed' }>, step: number) {
      const header = { sellerId: marketplace.sellers[seller]?.sellerId, version: '2.0' }
      const document = JSON.stringify({
        header,
        messages: messages.map(({ sku, change }, index) => ({
          messageId: index + 1,
          sku: skuOf(seller, sku),
          ...toMessage(change, step),
        })),
      })
      const operations = messages.map(({ sku, change }, index) => {
        const input: ListingInput = { kind: 'change', step, ...change }
        return { key: keyOf(seller, sku), messageId: index + 1, input }
      })
      return submit(
        seller,
        step,
        'JSON_LISTINGS_FEED',
        'application/json; charset=UTF-8',
        document,
        messages.length,
        operations,
      )
    },

    async shipByFeed({ seller, orders }: Extract<ClientAction, { do: 'shipByFeed' }>, step: number) {
      if (orders.length === 0) return
      const messages = orders.map(
        (order, index) =>
          `<Message><MessageID>${index + 1}</MessageID><OrderFulfillment><AmazonOrderID>${orderIdOf(order)}</AmazonOrderID></OrderFulfillment></Message>`,
      )
      const merchant = `<MerchantIdentifier>${marketplace.sellers[seller]?.sellerId}</MerchantIdentifier>`
      const header = `<Header><DocumentVersion>1.01</DocumentVersion>${merchant}</Header>`
      const document = `<?xml version="1.0" encoding="UTF-8"?><AmazonEnvelope>${header}<MessageType>OrderFulfillment</MessageType>${messages.join('')}</AmazonEnvelope>`
      const operations = orders.flatMap((order, index) => {
        const placed = steps.get(order)
        if (placed?.do !== 'order') return []
        const input: ListingInput = { kind: 'shipAll', order }
        return [{ key: keyOf(placed.seller, placed.sku), messageId: index + 1, input }]
      })
      return submit(
        seller,
        step,
        'POST_ORDER_FULFILLMENT_DATA',
        'text/xml; charset=UTF-8',
        document,
        messages.length,
        operations,
      )
    },

    async readFeed({ seller, feed }: FeedAction) {
      const created = history.feeds.get(feed)
      if (created?.feedId === undefined) return
      const reply = await client.send(seller, 'GET', `${FEEDS}/${created.feedId}`)
      if (!isSuccess(reply)) return
      const { processingStatus } = reply.json() as { processingStatus: string }
      if (FINAL.includes(processingStatus)) created.endedAt = Math.min(created.endedAt, scheduler.turn)
    },

    async cancelFeed({ seller, feed }: FeedAction) {
      const created = history.feeds.get(feed)
      if (created?.feedId === undefined) return
      const reply = await client.send(seller, 'DELETE', `${FEEDS}/${created.feedId}`)
      if (isSuccess(reply)) created.isCanceled = true
    },
  }
}

function toMessage(change: ListingChange, step: number) {
  if (change.change === 'delete') return { operationType: 'DELETE' }
  if (change.change === 'put') {
    return { operationType: 'UPDATE', productType: 'SHOES', attributes: toAttributes(change, step) }
  }
  return { operationType: 'PATCH', productType: 'SHOES', patches: toPatches(change) }
}
