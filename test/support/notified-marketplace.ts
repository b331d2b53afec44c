import { arnOf } from './notifications.ts'
import { buildOrder } from './orders.ts'

const marketplaceId = 'STALL1'
const sellerId = 'ASTALLKEEPER'
const applicationId = 'stall-app'

/** A new marketplace whose only seller receives order notifications through a queue. */
export async function createNotificationMarketplace(url: string, operatorKey: string, queue: string) {
  const put = (plural: string, resources: object[]) =>
    ask<Record<string, Record<string, string>[]>>(
      `${url}/operator/v1/${plural}`,
      'PUT',
      { [plural]: resources },
      {
        authorization: `Bearer ${operatorKey}`,
      },
    )
  await put('marketplaces', [
    {
      marketplaceId,
      name: 'Stall',
      countryCode: 'CH',
      currencyCode: 'CHF',
      languageCode: 'de_CH',
      domainName: 'stall.example',
    },
  ])
  const participations = [{ marketplaceId, storeName: 'Stall', isParticipating: true, hasSuspendedListings: false }]
  await put('sellers', [{ sellerId, businessType: 'INDIVIDUAL', sellingPlan: 'PROFESSIONAL', participations }])
  const { applications } = await put('applications', [{ applicationId, name: 'Stall' }])
  const { authorizations } = await put('authorizations', [{ sellerId, applicationId }])
  const { clientId: client_id = '', clientSecret: client_secret = '' } = applications?.[0] ?? {}
  const token = async (fields: object) => {
    const body = { ...fields, client_id, client_secret }
    return (await ask<{ access_token: string }>(`${url}/auth/o2/token`, 'POST', body)).access_token
  }
  const grantless = await token({ grant_type: 'client_credentials', scope: 'sellingpartnerapi::notifications' })
  const seller = await token({ grant_type: 'refresh_token', refresh_token: authorizations?.[0]?.refreshToken })
  const addDestination = async (resourceSpecification: object) => {
    const { payload } = await ask<{ payload: { destinationId: string } }>(
      `${url}/notifications/v1/destinations`,
      'POST',
      { name: 'Stall', resourceSpecification },
      { 'x-amz-access-token': grantless },
    )
    return payload.destinationId
  }
  /** Through a queue, or else through an event bus. */
  const subscribe = async (type: string, { queue: toQueue, version = '1.0' }: { queue?: string; version?: string }) => {
    const eventBridge = { accountId: '210987654321', region: 'us-east-1' }
    const destinationId = await addDestination(toQueue ? { sqs: { arn: arnOf(toQueue) } } : { eventBridge })
    const path = `${url}/notifications/v1/subscriptions/${type}`
    await ask(path, 'POST', { payloadVersion: version, destinationId }, { 'x-amz-access-token': seller })
  }
  await subscribe('ORDER_CHANGE', { queue })
  return {
    marketplaceId,
    sellerId,
    addDestination,
    subscribe,
    sendTestNotification: (type: string, destinationId: string) =>
      ask(
        `${url}/notifications/v1/subscriptions/${type}/testNotification`,
        'POST',
        { destinationId, testNotification: { payloadVersion: '1.0' } },
        { 'x-amz-access-token': grantless },
      ),
    /** Upserts orders with these numbers through the process at the URL. */
    sell: (at: string, from: number, to: number) => {
      const orders = Array.from({ length: to - from + 1 }, (_, index) => numberedOrder(from + index))
      return ask(`${at}/operator/v1/orders`, 'PUT', { orders }, { authorization: `Bearer ${operatorKey}` })
    },
    orderIdOf,
    /** The request that upserts one order, for a client that looks at the response itself. */
    saleOf: (number: number) => ({
      method: 'PUT',
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ orders: [numberedOrder(number)] }),
    }),
    /** The headers of a request of the seller. */
    sellerHeaders: { 'x-amz-access-token': seller },
  }
}

const orderIdOf = (number: number) => `100-0000000-${String(number).padStart(7, '0')}`

const numberedOrder = (number: number) =>
  buildOrder(new Date(), {
    sellerId,
    marketplaceId,
    orderId: orderIdOf(number),
    currencyCode: 'CHF',
  })

/** The number of the order in a notification. */
export function orderNumberIn({ Payload }: Record<string, unknown>): number {
  const { AmazonOrderId } = (Payload as { OrderChangeNotification: { AmazonOrderId: string } }).OrderChangeNotification
  return Number(AmazonOrderId.slice(-7))
}

async function ask<Answer>(url: string, method: string, body: object, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Answer
}
