// Requests a review and seller feedback for every order, once, as soon as the marketplace allows it. Run it daily.
import { fileURLToPath } from 'node:url'
import { ApiCallError, type Client, createClient, settingsFromEnvironment } from './client.ts'

export interface RequesterSettings {
  call: Client
  marketplaceId: string
  /** Default: the time of the system. */
  now?: Date
}

interface Order {
  orderId: string
  packages?: { packageStatus?: { status: string } }[]
}
interface Page {
  orders: Order[]
  pagination?: { nextToken?: string }
}
interface Actions {
  _links: { actions: { name: string }[] }
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
// The window is 5 to 30 days after the delivery, which can be weeks after the purchase.
const MIN_AGE_DAYS = 5
const MAX_AGE_DAYS = 60
const ACTION = 'productReviewAndSellerFeedback'

/** Returns the ids of the orders for which a review was requested now. */
export async function requestReviews({ call, marketplaceId, now = new Date() }: RequesterSettings): Promise<string[]> {
  const requested: string[] = []
  for await (const order of shippedOrders(call, marketplaceId, now)) {
    if (isOnItsWay(order)) continue
    const path = `/solicitations/v1/orders/${order.orderId}`
    const query = { marketplaceIds: marketplaceId }
    const { _links } = await call<Actions>('GET', path, { query })
    if (!_links.actions.some(({ name }) => name === ACTION)) continue
    try {
      await call('POST', `${path}/solicitations/${ACTION}`, { query, body: {} })
      requested.push(order.orderId)
    } catch (error) {
      // Another process was faster, or the buyer has just opted out.
      if (!(error instanceof ApiCallError && error.status === 403)) throw error
    }
  }
  return requested
}

async function* shippedOrders(call: Client, marketplaceId: string, now: Date): AsyncGenerator<Order> {
  const daysAgo = (days: number) => new Date(now.getTime() - days * DAY_MILLISECONDS).toISOString()
  const query = {
    marketplaceIds: marketplaceId,
    createdAfter: daysAgo(MAX_AGE_DAYS),
    createdBefore: daysAgo(MIN_AGE_DAYS),
    fulfillmentStatuses: 'SHIPPED',
    includedData: 'PACKAGES',
  }
  let paginationToken: string | undefined
  do {
    const page: Page = await call('GET', '/orders/2026-01-01/orders', {
      query: { ...query, ...(paginationToken && { paginationToken }) },
    })
    yield* page.orders
    paginationToken = page.pagination?.nextToken
  } while (paginationToken)
}

/** An order without packages may be delivered all the same: the marketplace shipped it. */
const isOnItsWay = ({ packages = [] }: Order) =>
  packages.length > 0 && !packages.some(({ packageStatus }) => packageStatus?.status === 'DELIVERED')

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [marketplaceId = ''] = process.argv.slice(2)
  const requested = await requestReviews({ call: createClient(settingsFromEnvironment()), marketplaceId })
  console.log(`Reviews requested for ${requested.length} orders`, requested)
}
