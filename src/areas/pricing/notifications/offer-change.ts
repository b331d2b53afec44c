import { hash } from 'node:crypto'
import { unknownSellers } from '../../../marketplace/accounts/sellers.ts'
import { findIneligibility } from '../../../marketplace/market/featured-offer.ts'
import { canBeFeatured, type Market } from '../../../marketplace/market/market.ts'
import { dayOf, timeOfDay } from '../../../marketplace/market/price-history.ts'
import { loadMarkets } from '../../../marketplace/market/store.ts'
import { splitCondition } from '../../../marketplace/offers/conditions.ts'
import { marketId } from '../../../marketplace/offers/market-key.ts'
import { listOfferSellers, listSellerOffers } from '../../../marketplace/offers/offer-pages.ts'
import { listOffersByProduct, type Offer, offerId } from '../../../marketplace/offers/offers.ts'
import type { Reader } from '../../../platform/database/port.ts'
import type {
  BegunExpansion,
  Expander,
  Expansion,
  Notification,
  NotificationPage,
} from '../../../platform/outbox/expander.ts'
import { SharedText } from '../../../platform/shared-text.ts'
import { renderOfferChange, withTime } from './any-offer-changed.ts'
import {
  deleteHealthNotices,
  deleteMarketNotices,
  findHealthNotices,
  findMarketNotices,
  type HealthNotice,
  listHealthNotices,
  type MarketSubject,
  type Notice,
  replaceMarketNotice,
  subjectId,
  writeHealthNotices,
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

/** A product may have tens of thousands of offers, and a round many products. */
const MAX_OFFERS_TOGETHER = 5_000

type OfferExpansion = Expansion & { context: OfferChangeContext }

/** Notifies sellers of changed markets, and of offers that their price disqualifies from being featured. */
export const offerChanges: Expander = {
  produces: ['ANY_OFFER_CHANGED', 'PRICING_HEALTH'],
  subjectOf: (event) => subjectId(subjectOf(toOfferChange(event))),
  laneOf: (event) => subjectId(subjectOf(toOfferChange(event))),
  async begin(reader, event) {
    return (await beginOfferChanges(reader, [toOfferChange(event)])).get(event.eventId)
  },
  page: (reader, event, context: OfferChangeContext, page) =>
    listOfferNotifications(reader, toOfferChange(event), context, page),
  async beginAll(reader, events, limit) {
    return listFirstNotifications(reader, events.map(toOfferChange), limit)
  },
}

const subjectOf = ({ marketplaceId, asin, conditionType }: OfferChange): MarketSubject => ({
  marketplaceId,
  asin,
  condition: splitCondition(conditionType).condition,
})

/** Returns the expansions by event, without those of products that do not exist. */
async function beginOfferChanges(
  reader: Reader,
  changes: readonly OfferChange[],
): Promise<Map<string, OfferExpansion>> {
  // Before the markets: if no other worker has replaced a notice, none has notified of a later state of its market.
  const notices = await findMarketNotices(reader, changes.map(subjectOf))
  return beginInMarkets(reader, changes, notices)
}

async function beginInMarkets(
  reader: Reader,
  changes: readonly OfferChange[],
  notices: ReadonlyMap<string, Notice>,
  offers?: readonly Offer[],
): Promise<Map<string, OfferExpansion>> {
  const begun = new Map<string, OfferExpansion>()
  for (const [day, some] of Map.groupBy(changes, ({ occurredAt }) => dayOf(occurredAt))) {
    const markets = await loadMarkets(reader, some, timeOfDay(day), offers)
    for (const change of some) {
      const market = markets.get(marketId(change))
      if (market) begun.set(change.eventId, beginOfferChange(change, market, notices.get(subjectId(subjectOf(change)))))
    }
  }
  return begun
}

function beginOfferChange(change: OfferChange, market: Market, last: Notice | undefined): OfferExpansion {
  if (market.offers.length === 0) return { context: {}, effect: (tx) => deleteMarketNotices(tx, change) }
  const subject = subjectOf(change)
  const content = renderOfferChange(market, change)
  const notice = createNotice(change, content)
  const unchangedSince = findUnchangedSince(notice, last)
  const context: OfferChangeContext = {
    described: withTime(content, change.occurredAt),
    ...(unchangedSince && { unchangedSince: unchangedSince.toISOString() }),
    ...toHealthContext(market, subject.condition),
  }
  return { context, effect: (tx) => replaceMarketNotice(tx, { ...subject, ...notice }, last) }
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
  const notifications = toMarketNotifications(sellerIds, context)
  const last = sellerIds.at(-1)
  if (last !== undefined && sellerIds.length === limit) {
    return { notifications, next: JSON.stringify(['MARKET', last] satisfies Cursor) }
  }
  const rest = await listHealthNotifications(reader, change, context, ['HEALTH', '', ''], limit - sellerIds.length)
  return { ...rest, notifications: [...notifications, ...rest.notifications] }
}

/** Begins changes and lists the first page of each. Returns undefined if their products have too many offers. */
async function listFirstNotifications(
  reader: Reader,
  changes: readonly OfferChange[],
  limit: number,
): Promise<Map<string, BegunExpansion> | undefined> {
  // Before the offers, as in `beginOfferChanges`.
  const last = await findMarketNotices(reader, changes.map(subjectOf))
  const allOffers = await listOffersByProduct(reader, changes, MAX_OFFERS_TOGETHER + 1)
  if (allOffers.length > MAX_OFFERS_TOGETHER) return undefined
  const [begun, unknown, healthNotices] = await Promise.all([
    beginInMarkets(reader, changes, last, allOffers),
    unknownSellers(
      reader,
      allOffers.map(({ sellerId }) => sellerId),
    ),
    listHealthNotices(reader, changes),
  ])
  const known = allOffers.filter(({ sellerId }) => !unknown.has(sellerId)).sort(bySellerAndSku)
  const offers = Map.groupBy(known, marketId)
  const notices = Map.groupBy(healthNotices, marketId)
  return new Map(
    changes.flatMap((change) => {
      const expansion = begun.get(change.eventId)
      if (!expansion) return []
      const id = marketId(change)
      const page = pageFromStart(change, expansion.context, offers.get(id) ?? [], notices.get(id) ?? [], limit)
      return [[change.eventId, { expansion, page }]]
    }),
  )
}

// If not all of them fit on the page, it is read again, in the order of the database.
const bySellerAndSku = (one: Offer, other: Offer) =>
  compareText(one.sellerId, other.sellerId) || compareText(one.sku, other.sku)
const compareText = (one: string, other: string) => (one < other ? -1 : Number(one > other))

/** The same page as `listOfferNotifications` returns at the start. */
function pageFromStart(
  change: OfferChange,
  context: OfferChangeContext,
  offers: readonly Offer[],
  notices: readonly HealthNotice[],
  limit: number,
): NotificationPage {
  if (!context.described) return { notifications: [] }
  const sellerIds = [...new Set(offers.map(({ sellerId }) => sellerId))].slice(0, limit)
  const notifications = toMarketNotifications(sellerIds, context)
  const last = sellerIds.at(-1)
  if (last !== undefined && sellerIds.length === limit) {
    return { notifications, next: JSON.stringify(['MARKET', last] satisfies Cursor) }
  }
  const rest = limit - sellerIds.length
  const health = renderHealthPage(change, context, offers.slice(0, rest), notices, rest)
  return { ...health, notifications: [...notifications, ...health.notifications] }
}

/** They differ in the seller only, so the rest is serialized once. */
function toMarketNotifications(
  sellerIds: readonly string[],
  { described, unchangedSince }: OfferChangeContext,
): Notification[] {
  let end: SharedText | undefined
  return sellerIds.map((sellerId) => ({
    key: '',
    sellerId,
    type: 'ANY_OFFER_CHANGED',
    payload: { AnyOfferChangedNotification: { SellerId: sellerId, ...described } },
    serialize() {
      end ??= SharedText.ofText(`,${JSON.stringify(described).slice(1)}}`)
      return { start: `{"AnyOfferChangedNotification":{"SellerId":${JSON.stringify(sellerId)}`, end }
    },
    ...(unchangedSince !== undefined && { unchangedSince: new Date(unchangedSince) }),
  }))
}

async function listHealthNotifications(
  reader: Reader,
  change: OfferChange,
  context: OfferChangeContext,
  [, sellerId, sku]: Cursor & { 0: 'HEALTH' },
  limit: number,
): Promise<NotificationPage> {
  if (!context.health) return { notifications: [] }
  const after = { sellerId, sku: sku ?? '' }
  const offers = await listSellerOffers(reader, change, { after, limit })
  const last = offers.at(-1)
  const notices = last ? await findHealthNotices(reader, change, { after, last }) : []
  return renderHealthPage(change, context, offers, notices, limit)
}

/** Renders health notifications for a page of offers. */
function renderHealthPage(
  change: OfferChange,
  { health }: OfferChangeContext,
  offers: readonly Offer[],
  lastNotices: readonly HealthNotice[],
  limit: number,
): NotificationPage {
  const last = offers.at(-1)
  if (!health || !last) return { notifications: [] }
  const inPage = new Set(offers.map(offerId))
  const known = new Map(
    lastNotices.map((notice) => [offerId(notice), notice] as const).filter(([id]) => inPage.has(id)),
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
      // Sent at once, before what others of this transaction write.
      // An offer that is healthy again has to notify if it becomes unhealthy later.
      await Promise.all([deleteHealthNotices(tx, [...known.values()]), writeHealthNotices(tx, notices)])
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
