import { type ActionContext, keyOf } from './action-context.ts'
import { attack } from './attacks.ts'
import { isSuccess, type Reply } from './client.ts'
import { createFeedActions } from './feed-actions.ts'
import type { ListingInput, OrderStatus } from './listing-model.ts'
import { parseListing, toRequest } from './listing-requests.ts'
import { US } from './marketplace.ts'
import { createReportActions } from './report-actions.ts'
import { type ClientAction, orderIdOf, type Step, skuOf } from './steps.ts'
import { createSubscriptionActions } from './subscription-actions.ts'

type Action<Name extends ClientAction['do']> = Extract<ClientAction, { do: Name }>

const MAX_PACKAGES_PER_STEP = 10

const listingUrl = (sellerId: string, sku: string) =>
  `/listings/2021-08-01/items/${sellerId}/${sku}?marketplaceIds=${US}`

/** Performs the action of one step. Never rejects. */
export function createActions(context: ActionContext) {
  const { client, history, marketplace, scheduler, clock, steps, violate } = context
  const sellerIdOf = (seller: number) => marketplace.sellers[seller]?.sellerId as string
  const feeds = createFeedActions(context)
  const reports = createReportActions(context)
  const subscriptions = createSubscriptionActions(context)

  /** Records an operation with its result. */
  async function record(
    step: number,
    key: string | undefined,
    input: ListingInput,
    request: () => Promise<Reply>,
    isDone: (reply: Exclude<Reply, 'lost'>) => boolean = isSuccess,
  ): Promise<Reply> {
    const invokedAt = scheduler.turn
    const reply = await request()
    const isLost = reply === 'lost'
    if (key !== undefined && (isLost || isDone(reply))) {
      const returnedAt = isLost ? Number.POSITIVE_INFINITY : scheduler.turn
      history.add(key, { step, input, invokedAt, returnedAt, isCertain: !isLost })
    }
    return reply
  }

  /** The listing that an order is of, if the step that placed it was not left out. */
  function keyOfOrder(order: number): string | undefined {
    const step = steps.get(order)
    return step?.do === 'order' ? keyOf(step.seller, step.sku) : undefined
  }

  const actions: { [Name in ClientAction['do']]: (action: Action<Name>, step: number) => Promise<unknown> } = {
    changeListing({ seller, sku, change }, step) {
      const url = listingUrl(sellerIdOf(seller), skuOf(seller, sku))
      const { method, body } = toRequest(change, step)
      return record(
        step,
        keyOf(seller, sku),
        { kind: 'change', step, ...change },
        () => client.send(seller, method, url, body),
        (reply) => reply.status === 200 && (reply.json() as { status: string }).status === 'ACCEPTED',
      )
    },

    async readListing({ seller, sku }, step) {
      const invokedAt = scheduler.turn
      const url = listingUrl(sellerIdOf(seller), skuOf(seller, sku))
      const reply = await client.send(seller, 'GET', `${url}&includedData=attributes,fulfillmentAvailability`)
      if (reply === 'lost' || (reply.status !== 200 && reply.status !== 404)) return
      const listing = reply.status === 404 ? undefined : parseListing(reply.json())
      // A SKU that was only patched is no listing yet.
      if (listing?.seen.title !== undefined && listing.available !== listing.seen.quantity) {
        violate('a listing has one quantity', `${listing.available} and ${listing.seen.quantity} in ${reply.body}`)
      }
      const input: ListingInput = { kind: 'read', listing: listing?.seen }
      history.add(keyOf(seller, sku), { step, input, invokedAt, returnedAt: scheduler.turn, isCertain: true })
    },

    async order({ seller, sku, quantity }, step) {
      const orderId = orderIdOf(step)
      const body = { sellerId: sellerIdOf(seller), orderId, sku: skuOf(seller, sku), quantity }
      const input: ListingInput = { kind: 'order', order: step, quantity }
      const reply = await record(step, keyOf(seller, sku), input, () => client.act('buyer', 'order', body))
      if (isSuccess(reply)) history.placed.set(orderId, { seller, returnedAt: scheduler.turn })
    },

    cancel: ({ seller, order }, step) =>
      record(step, keyOfOrder(order), { kind: 'cancel', order }, () =>
        client.act('buyer', 'cancel', { sellerId: sellerIdOf(seller), orderId: orderIdOf(order) }),
      ),
    deliver: ({ seller, order }) =>
      client.act('carrier', 'deliver', { sellerId: sellerIdOf(seller), orderId: orderIdOf(order) }),
    return: ({ seller, order }) =>
      client.act('buyer', 'return', { sellerId: sellerIdOf(seller), orderId: orderIdOf(order) }),

    async readOrder({ seller, order }, step) {
      const invokedAt = scheduler.turn
      const reply = await client.send(seller, 'GET', `/orders/v0/orders/${orderIdOf(order)}`)
      const key = keyOfOrder(order)
      if (reply === 'lost' || key === undefined || (reply.status !== 200 && reply.status !== 404)) return
      const { payload } = reply.json() as { payload?: ReadOrder }
      if (payload && !isConsistent(payload)) violate('an order agrees with its items', reply.body)
      const shipped = payload?.NumberOfItemsShipped
      const input: ListingInput = { kind: 'readOrder', order, status: payload?.OrderStatus, shipped }
      history.add(key, { step, input, invokedAt, returnedAt: scheduler.turn, isCertain: true })
    },

    async ship({ seller, order, quantity, packages }, step) {
      const url = `/orders/v0/orders/${orderIdOf(order)}`
      const found = await client.send(seller, 'GET', `${url}/orderItems`)
      if (!isSuccess(found)) return
      const { payload } = found.json() as { payload: { OrderItems: { OrderItemId: string }[] } }
      const orderItems = [{ orderItemId: payload.OrderItems[0]?.OrderItemId, quantity }]
      const details = { carrierCode: 'UPS', trackingNumber: '1Z', shipDate: clock.now().toISOString(), orderItems }
      const confirm = (number: number) => {
        const packageReferenceId = String(step * MAX_PACKAGES_PER_STEP + number)
        const body = { marketplaceId: US, packageDetail: { packageReferenceId, ...details } }
        return record(step, keyOfOrder(order), { kind: 'ship', order, quantity }, () =>
          client.send(seller, 'POST', `${url}/shipmentConfirmation`, body),
        )
      }
      await Promise.all(Array.from({ length: packages }, (_, number) => confirm(number)))
    },

    async solicit({ order }) {
      const orderId = marketplace.solicitable[order] as string
      const url = `/solicitations/v1/orders/${orderId}/solicitations/productReviewAndSellerFeedback?marketplaceIds=${US}`
      if (!isSuccess(await client.send(0, 'POST', url))) return
      history.solicitations.set(orderId, (history.solicitations.get(orderId) ?? 0) + 1)
    },

    compete: ({ asin, price }) =>
      client.act('competitor', 'setPrice', { marketplaceId: US, asin: marketplace.asins[asin], price }),
    readPrices: ({ seller, asin }) =>
      client.send(
        seller,
        'GET',
        `/products/pricing/v0/items/${marketplace.asins[asin]}/offers?MarketplaceId=${US}&ItemCondition=New`,
      ),
    attack: (action) => attack(context, action),
    ...feeds,
    ...reports,
    ...subscriptions,
  }

  return (step: Step): Promise<unknown> => {
    const perform = actions[step.do as ClientAction['do']] as (action: Step, id: number) => Promise<unknown>
    return perform(step, step.id)
  }
}

interface ReadOrder {
  OrderStatus: OrderStatus
  NumberOfItemsShipped: number
  NumberOfItemsUnshipped: number
}

function isConsistent({ OrderStatus, NumberOfItemsShipped, NumberOfItemsUnshipped }: ReadOrder): boolean {
  if (OrderStatus === 'Shipped') return NumberOfItemsUnshipped === 0
  return (OrderStatus === 'PartiallyShipped') === NumberOfItemsShipped > 0
}
