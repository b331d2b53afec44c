import { hash } from 'node:crypto'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { splitCondition } from '../offers/conditions.ts'
import { listOfferSellers, listSellerOffers } from '../offers/offer-pages.ts'
import { findIneligibility } from './featured-offer.ts'
import { canBeFeatured, type Market } from './market.ts'
import {
  deleteHealthNotices,
  deleteMarketNotices,
  findHealthNotices,
  findMarketNotice,
  type HealthNotice,
  type Notice,
  offerId,
  writeHealthNotices,
  writeMarketNotice,
} from './notices.ts'
import { renderOfferChange } from './offer-change-payload.ts'
import { type HealthSummary, renderHealthSummary, renderPricingHealth } from './pricing-health-payload.ts'
import { marketId } from './stale.ts'
import { loadMarkets } from './store.ts'

/** That an offer for a product came, went, or has other terms. */
export interface OfferChange {
  eventId: string
  marketplaceId: string
  asin: string
  conditionType: string
  occurredAt: Date
}

/** What all notifications of one change have in common. */
export interface OfferChangeContext {
  /** The market as ANY_OFFER_CHANGED describes it. Absent when nothing is on offer any more. */
  described?: object
  /** When the same was notified last, if it was. */
  unchangedSince?: string
  /** What PRICING_HEALTH needs. Absent where it does not apply. */
  health?: { summary: HealthSummary; thresholdMinor?: number }
}

interface OfferNotification {
  key: string
  sellerId: string
  type: string
  payload: object
  unchangedSince?: Date
}

interface OfferNotificationPage {
  notifications: OfferNotification[]
  next?: string
  effect?(tx: Transaction): Promise<void>
}

/** Works out what is to be said of a changed offer. Nothing when there is no such product. */
export async function expandOfferChange(
  reader: Reader,
  change: OfferChange,
): Promise<{ context: OfferChangeContext; effect(tx: Transaction): Promise<void> } | undefined> {
  const market = (await loadMarkets(reader, [change], change.occurredAt)).get(marketId(change))
  if (!market) return undefined
  if (market.offers.length === 0) return { context: {}, effect: (tx) => deleteMarketNotices(tx, change) }
  const { condition } = splitCondition(change.conditionType)
  const subject = { marketplaceId: change.marketplaceId, asin: change.asin, condition }
  const notice = createNotice(change, renderOfferChange(market, { ...change, occurredAt: NO_TIME }))
  const unchangedSince = findUnchangedSince(notice, await findMarketNotice(reader, subject))
  return {
    context: {
      described: renderOfferChange(market, change),
      ...(unchangedSince && { unchangedSince: unchangedSince.toISOString() }),
      ...toHealthContext(market, condition),
    },
    effect: (tx) => writeMarketNotice(tx, { ...subject, ...notice }),
  }
}

/** Only what is new is featured: a change of what is used makes nothing healthier or worse. */
function toHealthContext(market: Market, condition: string): Pick<OfferChangeContext, 'health'> {
  if (condition !== 'New' || !canBeFeatured(market.product)) return {}
  const { thresholdMinor } = market.references
  return { health: { summary: renderHealthSummary(market), ...(thresholdMinor !== undefined && { thresholdMinor }) } }
}

/** Where a page begins: after a seller who is notified of the market, or after an offer whose health was looked at. */
type Cursor = ['MARKET', sellerId: string] | ['HEALTH', sellerId: string, sku: string]

/**
 * A page of what is to be said: the market to every seller that Souk knows with an offer for the product, and to those
 * whose price keeps their offer from being featured, that it does.
 */
export async function listOfferNotifications(
  reader: Reader,
  change: OfferChange,
  context: OfferChangeContext,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<OfferNotificationPage> {
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

const toMarketNotification = (
  sellerId: string,
  { described, unchangedSince }: OfferChangeContext,
): OfferNotification => ({
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
): Promise<OfferNotificationPage> {
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
  const notifications: OfferNotification[] = []
  const notices: HealthNotice[] = []
  for (const offer of offers.filter((one) => findIneligibility(one, health.thresholdMinor) === 'PRICE')) {
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
      // What has become healthy is said anew should it become unhealthy again.
      await deleteHealthNotices(tx, [...known.values()])
      await writeHealthNotices(tx, notices)
    },
  }
}

// When something is said makes no difference to what is said.
const NO_TIME = new Date(0)

const createNotice = ({ eventId, occurredAt }: OfferChange, content: object): Notice => ({
  eventId,
  digest: hash('sha256', JSON.stringify(content), 'base64url'),
  notifiedAt: occurredAt,
})

/** When the same was said last. What the same event has said, before a step that is done again, does not count. */
const findUnchangedSince = (notice: Notice, last: Notice | undefined): Date | undefined =>
  last && last.digest === notice.digest && last.eventId !== notice.eventId ? last.notifiedAt : undefined
