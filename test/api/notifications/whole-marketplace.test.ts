import { beforeAll, expect, test } from 'vitest'
import { FULFILLMENT, XML_TYPE } from '../../support/feeds.ts'
import { buildCompetitorOffer, marketClient } from '../../support/market.ts'
import { notificationConforms } from '../../support/notification-schemas.ts'
import { type NotificationsClient, notificationsClient, receive } from '../../support/notifications.ts'
import { OrderFeedsClient } from '../../support/order-feeds.ts'
import { modelsArePresent } from '../../support/public-models.ts'
import { startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: NotificationsClient
beforeAll(async () => {
  souk = await startTestSouk()
  client = notificationsClient(souk)
})

async function received(queue: string) {
  await souk.idle()
  return receive(souk.queueUrl, queue)
}

const conform = (type: string, payloadVersion: string, notifications: readonly unknown[]) => {
  expect(notifications).not.toEqual([])
  if (!modelsArePresent) return
  for (const notification of notifications) notificationConforms(type, payloadVersion, notification)
}

test('a finished feed sends FEED_PROCESSING_FINISHED, and ORDER_CHANGE for each order that it ships', async () => {
  await client.listen('feeds', 'FEED_PROCESSING_FINISHED', { payloadVersion: '2020-09-04' })
  await client.listen('orders', 'ORDER_CHANGE')
  const orders = new OrderFeedsClient(souk)
  const orderId = await orders.newOrder()
  await received('orders')
  const shipped = `<Message><MessageID>1</MessageID><OrderFulfillment><AmazonOrderID>${orderId}</AmazonOrderID>
    </OrderFulfillment></Message>`
  const feed = await orders.finished(orders.envelope('OrderFulfillment', shipped), { feedType: FULFILLMENT }, XML_TYPE)

  const finished = await received('feeds')
  const { feedId, feedType, resultFeedDocumentId } = feed
  expect(finished).toMatchObject([
    {
      payload: {
        feedProcessingFinishedNotification: { feedId, feedType, processingStatus: 'DONE', resultFeedDocumentId },
      },
    },
  ])
  conform('FEED_PROCESSING_FINISHED', '2020-09-04', finished)

  const changed = await received('orders')
  expect(changed).toMatchObject([
    { Payload: { OrderChangeNotification: { AmazonOrderId: orderId, Summary: { OrderStatus: 'Shipped' } } } },
  ])
  conform('ORDER_CHANGE', '1.0', changed)
})

test("a competitor's offer sends ANY_OFFER_CHANGED, and PRICING_HEALTH to sellers whose price is too high", async () => {
  await client.listen('offers', 'ANY_OFFER_CHANGED')
  await client.listen('health', 'PRICING_HEALTH')
  const market = marketClient(souk, await souk.tokenFor(souk.demo.refreshToken))
  const asin = 'B0SOUK0006'
  await market.offer(buildCompetitorOffer('ANEWCOMPETITOR', { asin }))

  const changes = await received('offers')
  expect(changes).toMatchObject([
    { Payload: { AnyOfferChangedNotification: { SellerId: souk.demo.sellerId, OfferChangeTrigger: { ASIN: asin } } } },
  ])
  conform('ANY_OFFER_CHANGED', '1.0', changes)
  conform('PRICING_HEALTH', '1.0', await received('health'))
})
