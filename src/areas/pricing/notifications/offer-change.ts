import { hash } from 'node:crypto'
import { findIneligibility } from '../../../marketplace/market/featured-offer.ts'
import { canBeFeatured, type Market } from '../../../marketplace/market/market.ts'
import { loadMarkets } from '../../../marketplace/market/store.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import { marketId } from '../../../marketplace/offers/market-key.ts'
import { listOfferSellers, listSellerOffers } from '../../../marketplace/offers/offer-pages.ts'
import { offerId } from '../../../marketplace/offers/offers.ts'
import type { Reader } from '../../../platform/database/port.ts'
import type { Expander, Expansion, Notification, NotificationPage } from '../../../platform/outbox/expander.ts'
import { renderOfferChange } from './any-offer-changed.ts'
import {
  deleteHealthNotices,
  deleteMarketNotices,
  findHealthNotices,
  findMarketNotice,
  type HealthNotice,
  type Notice,
  writeHealthNotices,
  writeMarketNotice,
} from './notice-store.ts'
import { type OfferChange, toOfferChange } from './offer-change-event.ts'
import { type HealthSummary, renderHealthSummary, renderPricingHealth } from './pricing-health.ts'

/** Stored as JSON while a change is fanned out, so these names are in the database. */
interface OfferChangeContext {
  /** The content of ANY_OFFER_CHANGED. Absent if the product has no offers. */
  described?: object
  /** When the same content was last sent. */
  unchangedSince?: string
  /** The content of PRICING_HEALTH. Absent where it does not apply. */
  health?: { summary: HealthSummary; thresholdMinor?: number }
}

/** Notifies sellers of changed markets, and of offers that their price disqualifies from being featured. */
export const offerChanges: Expander = {
  produces: ['ANY_OFFER_CHANGED', 'PRICING_HEALTH'],
  subjectOf: ({ payload }) => `${payload.marketplaceId} ${payload.asin} ${payload.conditionType}`,
  begin: (reader, event) => beginOfferChange(reader, toOfferChange(event)),
  page: (reader, event, context: OfferChangeContext, page) =>
    listOfferNotifications(reader, toOfferChange(event), context, page),
}

/** Returns undefined if the product does not exist. */
async function beginOfferChange(reader: Reader, change: OfferChange): Promise<Expansion | undefined> {
  const market = (await loadMarkets(reader, [change], change.occurredAt)).get(marketId(change))
  if (!market) return undefined
  if (market.offers.length === 0) return { context: {}, effect: (tx) => deleteMarketNotices(tx, change) }
  const { condition } = splitCondition(change.conditionType)
  const subject = { marketplaceId: change.marketplaceId, asin: change.asin, condition }
  const notice = createNotice(change, renderOfferChange(market, { ...change, occurredAt: NO_TIME }))
  const unchangedSince = findUnchangedSince(notice, await findMarketNotice(reader, subject))
  const context: OfferChangeContext = {
    described: renderOfferChange(market, change),
    ...(unchangedSince && { unchangedSince: unchangedSince.toISOString() }),
    ...toHealthContext(market, condition),
  }
  return {
    context,
    effect: (tx) => writeMarketNotice(tx, { ...subject, ...notice }),
  }
}

/** Only new items are featured, so offers in other conditions do not affect pricing health. */
function toHealthContext(market: Market, condition: string): Pick<OfferChangeContext, 'health'> {
  if (condition !== 'New' || !canBeFeatured(market.product)) return {}
  const { thresholdMinor } = market.references
  return { health: { summary: renderHealthSummary(market), ...(thresholdMinor !== undefined && { thresholdMinor }) } }
}

/** The last seller of a page of market notifications, or the last offer of a page of health notifications. */
type Cursor = ['MARKET', sellerId: string] | ['HEALTH', sellerId: string, sku: string]

/** Lists market notifications for all known sellers of the product, then health notifications for their offers. */
async function listOfferNotifications(
  reader: Reader,
  change: OfferChange,
  context: OfferChangeContext,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<NotificationPage> {
  if (!context.described) return { notifications: [] }
  const cursor: Cursor = after === undefined ? ['MARKET', ''] : JSON.parse(after)
  if (cursor[0] === 'HEALTH') return listHealthNotifications(reader, change, context, cursor, limit)
  const sellerIds = await listOfferSellers(reader, change, { after: cursor[1], limit })
  const notifications = sellerIds.map((sellerId) => toMarketNotification(sellerId, context))
  const last = sellerIds.at(-1)
  if (last !== undefined && sellerIds.length === limit) {
    return { notifications, next: JSON.stringify(['MARKET', last] satisfies Cursor) }
  }
  const rest = await listHealthNotifications(reader, change, context, ['HEALTH', '', ''], limit - sellerIds.length)
  return { ...rest, notifications: [...notifications, ...rest.notifications] }
}

const toMarketNotification = (sellerId: string, { described, unchangedSince }: OfferChangeContext): Notification => ({
  key: '',
  sellerId,
  type: 'ANY_OFFER_CHANGED',
  payload: { AnyOfferChangedNotification: { SellerId: sellerId, ...described } },
  ...(unchangedSince !== undefined && { unchangedSince: new Date(unchangedSince) }),
})

async function listHealthNotifications(
  reader: Reader,
  change: OfferChange,
  { health }: OfferChangeContext,
  [, sellerId, sku]: Cursor & { 0: 'HEALTH' },
  limit: number,
): Promise<NotificationPage> {
  if (!health) return { notifications: [] }
  const offers = await listSellerOffers(reader, change, { after: { sellerId, sku: sku ?? '' }, limit })
  const last = offers.at(-1)
  if (!last) return { notifications: [] }
  const known = new Map(
    (await findHealthNotices(reader, change, { after: { sellerId, sku: sku ?? '' }, last })).map((notice) => [
      offerId(notice),
      notice,
    ]),
  )
  const notifications: Notification[] = []
  const notices: HealthNotice[] = []
  for (const offer of offers.filter((offer) => findIneligibility(offer, health.thresholdMinor) === 'PRICE')) {
    const { marketplaceId, asin } = change
    const content = renderPricingHealth(health.summary, offer, { ...change, occurredAt: NO_TIME })
    const notice = { marketplaceId, asin, sellerId: offer.sellerId, sku: offer.sku, ...createNotice(change, content) }
    const unchangedSince = findUnchangedSince(notice, known.get(offerId(offer)))
    notices.push(notice)
    known.delete(offerId(offer))
    notifications.push({
      key: offer.sku,
      sellerId: offer.sellerId,
      type: 'PRICING_HEALTH',
      payload: renderPricingHealth(health.summary, offer, change),
      ...(unchangedSince && { unchangedSince }),
    })
  }
  return {
    notifications,
    ...(offers.length === limit && { next: JSON.stringify(['HEALTH', last.sellerId, last.sku] satisfies Cursor) }),
    async effect(tx) {
      // An offer that is healthy again has to notify if it becomes unhealthy later.
      await deleteHealthNotices(tx, [...known.values()])
      await writeHealthNotices(tx, notices)
    },
  }
}

// Notices compare content, so the digest is taken without the time of the change.
const NO_TIME = new Date(0)

const createNotice = ({ eventId, occurredAt }: OfferChange, content: object): Notice => ({
  eventId,
  digest: hash('sha256', JSON.stringify(content), 'base64url'),
  notifiedAt: occurredAt,
})

/** Ignores notices of the same event, which a step that runs again after a crash has written. */
const findUnchangedSince = (notice: Notice, last: Notice | undefined): Date | undefined =>
  last && last.digest === notice.digest && last.eventId !== notice.eventId ? last.notifiedAt : undefined
