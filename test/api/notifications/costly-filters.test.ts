import { expect, test } from 'vitest'
import type { Expander, Expanders } from '../../../src/platform/outbox/expander.ts'
import { arnOf, notificationsClient, receive } from '../../support/notifications.ts'
import { append, orderChange, ordersIn } from '../../support/relay.ts'
import { addSubscribedSellers } from '../../support/subscribers.ts'
import { startWatchedSouk } from '../../support/watched-souk.ts'

const TYPE = 'ANY_OFFER_CHANGED'
const PAYLOAD = 'AnyOfferChangedNotification'
const SELLERS = 34
const PRODUCTS = 12
/** Exceeds the limit of an evaluation. Reads the seller once. */
const COSTLY = `${PAYLOAD}.SellerId != '' && ${PAYLOAD}.Offers.all(a, ${PAYLOAD}.Offers.all(b, ${PAYLOAD}.Offers.all(c, c.Price >= 0)))`
const OFFERS = Array.from({ length: 20 }, (_, index) => ({ Price: index }))

/** Counts evaluations, and how many of them the event loop has waited for at most. */
function countEvaluations() {
  const count = { all: 0, together: 0, mostTogether: 0 }
  const endTurn = () => {
    count.together = 0
  }
  return {
    count,
    onEvaluation() {
      count.all++
      if (count.together++ === 0) setImmediate(endTurn)
      count.mostTogether = Math.max(count.mostTogether, count.together)
    },
  }
}

test.each([
  ['together', true],
  ['one by one', false],
])(
  'costly filters of one application block neither the worker nor other sellers: events read %s',
  async (_how, isTogether) => {
    const { count, onEvaluation } = countEvaluations()
    let sellerIds: string[] = []
    const pageOf = () => ({
      notifications: sellerIds.map((sellerId) => ({
        key: '',
        sellerId,
        type: TYPE,
        payload: {
          [PAYLOAD]: {
            get SellerId() {
              onEvaluation()
              return sellerId
            },
            Offers: OFFERS,
          },
        },
      })),
    })
    const expander: Expander = {
      produces: [TYPE],
      subjectOf: ({ payload }) => String(payload.asin),
      laneOf: ({ payload }) => String(payload.asin),
      begin: async () => ({ context: {} }),
      async page(_reader, _event, _context, { after = '0', limit }) {
        const end = Number(after) + limit
        const notifications = pageOf().notifications.slice(Number(after), end)
        return { notifications, ...(end < sellerIds.length && { next: String(end) }) }
      },
      ...(isTogether && {
        beginAll: async (_reader, events) =>
          new Map(events.map(({ eventId }) => [eventId, { expansion: { context: {} }, page: pageOf() }])),
      }),
    }
    const expanders: Expanders = { OFFER_CHANGE: expander }
    const { souk, database } = await startWatchedSouk({ expanders })
    const { applicationId, otherSeller } = souk.demo
    const now = souk.clock.now()
    sellerIds = await addSubscribedSellers(database, applicationId, {
      type: TYPE,
      count: SELLERS,
      createdAt: now,
      target: { kind: 'sqs', target: arnOf('costly') },
      directive: { filterExpression: COSTLY },
    })
    await notificationsClient(souk, otherSeller.refreshToken).listen('other', 'ORDER_CHANGE')
    const changes = Array.from({ length: PRODUCTS }, (_, index) => ({
      sellerId: sellerIds[0] as string,
      type: 'OFFER_CHANGE',
      occurredAt: now,
      payload: { asin: `B0COSTLY${index}` },
    }))
    await append(database, [...changes, orderChange(otherSeller.sellerId, now, 1)])
    await souk.idle()
    expect(ordersIn(await receive(souk.queueUrl, 'other'))).toEqual([1])
    expect(count.all).toBeGreaterThanOrEqual(SELLERS * PRODUCTS)
    // An evaluation reads the field twice. All of them together would be four times as many.
    expect(count.mostTogether).toBeLessThan(200)
  },
  120_000,
)
