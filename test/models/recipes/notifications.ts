import { encodePageToken } from '../../../src/platform/paging.ts'
import type { Market } from '../market.ts'
import { type Recipe, type Recipes, remove } from './recipe.ts'

const DESTINATIONS = '/notifications/v1/destinations'
const SUBSCRIPTIONS = '/notifications/v1/subscriptions'
const VERSIONS: Record<string, string> = {
  ANY_OFFER_CHANGED: '1.0',
  ORDER_CHANGE: '1.0',
  SHIPMENT_TRACKING_MILESTONE_CHANGED: '2026-01-30',
}
const SETTINGS: Record<string, readonly string[]> = {
  ANY_OFFER_CHANGED: ['aggregationSettings', 'marketplaceIds'],
  ORDER_CHANGE: ['marketplaceIds', 'orderChangeTypes'],
  SHIPMENT_TRACKING_MILESTONE_CHANGED: ['trackingIdentifier'],
}

let made = 0
const newArn = () => `arn:aws:sqs:us-east-1:123456789012:models-${++made}`

async function createDestination(market: Market): Promise<string> {
  const body = { name: 'models', resourceSpecification: { sqs: { arn: newArn() } } }
  const { payload } = await market.call('POST', DESTINATIONS, body, 'grantless')
  return (payload as { destinationId: string }).destinationId
}

async function createSubscription(market: Market, type = 'ANY_OFFER_CHANGED'): Promise<string> {
  const body = { payloadVersion: VERSIONS[type], destinationId: await createDestination(market) }
  const { payload } = await market.call('POST', `${SUBSCRIPTIONS}/${type}`, body)
  return (payload as { subscriptionId: string }).subscriptionId
}

/** A seller has one subscription to a type, so the one before goes. */
async function unsubscribe(market: Market, type: string): Promise<void> {
  const { payload } = await market.call('GET', `${SUBSCRIPTIONS}?notificationTypes=${type}`)
  const { subscriptions } = payload as { subscriptions: { subscriptionId: string }[] }
  for (const { subscriptionId } of subscriptions)
    await market.call('DELETE', `${SUBSCRIPTIONS}/${type}/${subscriptionId}`)
}

interface Filter extends Record<string, unknown> {
  eventFilterType: string
}
interface Body {
  payloadVersion: string
  processingDirective?: { eventFilter?: Filter; filterExpression?: string }
}

const bySubscription: Recipe = {
  sources: async (market) => ({
    notificationType: ['ANY_OFFER_CHANGED'],
    payloadVersion: ['1.0'],
    notificationTypes: ['ANY_OFFER_CHANGED'],
    nextToken: [encodePageToken(['0', '0'])],
    subscriptionId: [await createSubscription(market)],
  }),
}

export const notificationRecipes: Recipes = {
  getDestinations: {
    async sources(market) {
      await createDestination(market)
      return {}
    },
  },
  createDestination: {
    sources: () => ({ name: ['A queue'], arn: [newArn()], accountId: ['123456789012'], region: ['us-east-1'] }),
    combine({ body }, kept) {
      const { resourceSpecification: resource } = body as { resourceSpecification: Record<string, unknown> }
      if (kept === 'resourceSpecification' || Object.keys(resource).length === 0) resource.sqs ??= { arn: newArn() }
      if (resource.sqs) remove(resource, 'eventBridge')
    },
    async renew({ body }) {
      const { resourceSpecification: resource } = body as { resourceSpecification: Record<string, object> }
      if (resource.sqs) Object.assign(resource.sqs, { arn: newArn() })
      if (resource.eventBridge) Object.assign(resource.eventBridge, { accountId: String(100_000_000_000 + ++made) })
    },
  },
  getDestination: { sources: async (market) => ({ destinationId: [await createDestination(market)] }) },
  deleteDestination: {
    sources: () => ({ destinationId: ['1'] }),
    async renew(request, market) {
      request.path.destinationId = await createDestination(market)
    },
  },
  getSubscriptions: bySubscription,
  getSubscription: bySubscription,
  getSubscriptionById: bySubscription,
  deleteSubscriptionById: {
    sources: () => ({ notificationType: ['ORDER_CHANGE'], subscriptionId: ['1'] }),
    async renew(request, market) {
      await unsubscribe(market, 'ORDER_CHANGE')
      request.path.subscriptionId = await createSubscription(market, 'ORDER_CHANGE')
    },
  },
  createSubscription: {
    sources: async (market) => ({
      notificationType: Object.keys(VERSIONS),
      payloadVersion: ['1.0'],
      destinationId: [await createDestination(market)],
      filterExpression: ["AnyOfferChangedNotification.SellerId == 'A1SOUKDEMOSELL'"],
    }),
    combine({ path, body: given }, kept) {
      const body = given as Body
      const directive = body.processingDirective
      const filter = directive?.eventFilter
      if (directive?.filterExpression !== undefined) path.notificationType = 'ANY_OFFER_CHANGED'
      if (directive && filter) {
        if (kept === 'orderChangeTypes') filter.eventFilterType = 'ORDER_CHANGE'
        if (kept === 'aggregationTimePeriod') filter.eventFilterType = 'ANY_OFFER_CHANGED'
        remove(directive, 'filterExpression')
        path.notificationType = filter.eventFilterType
        combineFilter(filter)
      }
      body.payloadVersion = VERSIONS[String(path.notificationType)] ?? '1.0'
    },
    renew: async ({ path }, market) => unsubscribe(market, String(path.notificationType)),
  },
  sendTestNotification: {
    sources: async (market) => ({
      notificationType: ['ANY_OFFER_CHANGED', 'ORDER_CHANGE'],
      payloadVersion: ['1.0'],
      destinationId: [await createDestination(market)],
      testScenario: ['Default'],
      'body.testNotification': [{ payloadVersion: '1.0' }],
    }),
    // The model requires neither, but says that both are needed.
    combine({ body }) {
      const fields = body as Record<string, unknown>
      fields.testNotification ??= { payloadVersion: '1.0' }
    },
    async renew({ body }, market) {
      const fields = body as Record<string, unknown>
      fields.destinationId ??= await createDestination(market)
    },
  },
}

/** Each kind of filter has settings of its own, and a tracking identifier is exactly one id. */
function combineFilter(filter: Filter): void {
  const own = SETTINGS[filter.eventFilterType] ?? []
  remove(filter, ...Object.keys(filter).filter((name) => name !== 'eventFilterType' && !own.includes(name)))
  if (own.includes('trackingIdentifier')) {
    const ids = Object.entries((filter.trackingIdentifier ?? {}) as object)
    filter.trackingIdentifier = Object.fromEntries(ids.length > 0 ? ids.slice(0, 1) : [['id', 'x']])
  }
}
