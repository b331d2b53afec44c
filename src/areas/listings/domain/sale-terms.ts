import { formatMinor, toMinor } from '../../../marketplace/money.ts'
import { MAX_PRICE, MAX_QUANTITY } from '../../../marketplace/offers/limits.ts'
import { isTimestamp, parseTimestamp } from '../../../platform/timestamps.ts'
import type { Attributes, Entry } from './attributes.ts'

export interface Price {
  minor: number
  currencyCode: string
}

/** The terms of a listing's sale, derived from its attributes. */
export interface SaleTerms {
  price?: Price
  bounds?: { lowestMinor?: number; highestMinor?: number }
  conditionType: string
  channel: string
  /** Absent if the marketplace holds the stock. */
  quantity?: number
  /** The listing has no offer. */
  isOfferSkipped: boolean
  /** One consumer offer without discounts, and one channel: price, channel and quantity describe the terms completely. */
  isPlain: boolean
  /** The next start or end of a discount. */
  nextChangeAt?: Date
}

const MERCHANT_CHANNEL = 'DEFAULT'
const ALL_BUYERS = 'ALL'

export const fulfillmentTypeOf = ({ channel }: Pick<SaleTerms, 'channel'>): 'AFN' | 'MFN' =>
  channel === MERCHANT_CHANNEL ? 'MFN' : 'AFN'

/** The terms that are stored with the attributes. */
export const denormalizeTerms = ({ price, conditionType, channel, quantity, isPlain }: SaleTerms) => ({
  conditionType,
  channel,
  quantity,
  price,
  hasPlainTerms: isPlain,
})

export interface TermsContext {
  now: Date
  /** Currency of the marketplace, preferred if there are offers in several. */
  currencyCode: string
}

/**
 * Expects attributes that satisfy their schemas. Those of the operator's product types may allow values that cannot be
 * terms of sale, which are ignored: the listing then has no price or no stock.
 */
export function parseTerms(attributes: Attributes, { now, currencyCode: wanted }: TermsContext): SaleTerms {
  const offers = attributes.purchasable_offer?.filter(isConsumerOffer) ?? []
  const offer = offers.find(({ currency }) => currency === wanted) ?? offers[0]
  const [availability] = attributes.fulfillment_availability ?? []
  const currencyCode = typeof offer?.currency === 'string' ? offer.currency : undefined
  const minor = currencyCode === undefined ? undefined : currentPrice(offer as Entry, currencyCode, now)
  return {
    nextChangeAt: offer && nextChange(offer, now),
    price: minor === undefined || currencyCode === undefined ? undefined : { minor, currencyCode },
    bounds: currencyCode === undefined ? undefined : parseBounds(offer as Entry, currencyCode),
    conditionType: String(attributes.condition_type?.[0]?.value ?? 'new_new'),
    channel: String(availability?.fulfillment_channel_code ?? MERCHANT_CHANNEL),
    quantity: parseQuantity(availability?.quantity),
    isOfferSkipped: isOfferSkipped(attributes),
    isPlain: isPlain(attributes),
  }
}

export const isOfferSkipped = ({ skip_offer }: Attributes): boolean => skip_offer?.[0]?.value === true

function isPlain({ purchasable_offer = [], fulfillment_availability = [] }: Attributes): boolean {
  const [offer, ...more] = purchasable_offer
  if (more.length > 0 || fulfillment_availability.length !== 1) return false
  return offer === undefined || (isConsumerOffer(offer) && offer.discounted_price === undefined)
}

const isConsumerOffer = ({ audience }: Entry) => audience === undefined || audience === ALL_BUYERS

/** NaN, which lies neither before nor after any time, if it is not a time. */
const timeOf = (text: unknown) =>
  typeof text === 'string' && isTimestamp(text) ? parseTimestamp(text).getTime() : Number.NaN

function parseQuantity(value: unknown): number | undefined {
  const isQuantity = Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_QUANTITY
  return isQuantity ? (value as number) : undefined
}

function currentPrice(offer: Entry, currencyCode: string, now: Date): number | undefined {
  const discounted = schedule(offer.discounted_price).find(({ start_at, end_at }) => {
    const time = now.getTime()
    return timeOf(start_at) <= time && time < timeOf(end_at)
  })
  return priceOf(discounted, currencyCode) ?? priceOf(schedule(offer.our_price)[0], currencyCode)
}

function nextChange(offer: Entry, now: Date): Date | undefined {
  const times = schedule(offer.discounted_price)
    .flatMap(({ start_at, end_at }) => [timeOf(start_at), timeOf(end_at)])
    .filter((time) => time > now.getTime())
  return times.length === 0 ? undefined : new Date(Math.min(...times))
}

function parseBounds(offer: Entry, currencyCode: string): NonNullable<SaleTerms['bounds']> {
  return {
    lowestMinor: priceOf(schedule(offer.minimum_seller_allowed_price)[0], currencyCode),
    highestMinor: priceOf(schedule(offer.maximum_seller_allowed_price)[0], currencyCode),
  }
}

function schedule(price: unknown): Entry[] {
  const [first] = Array.isArray(price) ? price : []
  const entries: unknown = first?.schedule
  return Array.isArray(entries) ? entries.filter((entry) => typeof entry === 'object' && entry !== null) : []
}

function priceOf(entry: Entry | undefined, currencyCode: string): number | undefined {
  const value = entry?.value_with_tax
  if (typeof value !== 'number' || value <= 0 || value > MAX_PRICE) return undefined
  // 0.01 in a currency without decimals rounds to 0, which is not a price.
  return toMinor(value, currencyCode) || undefined
}

export function renderOffers(attributes: Attributes, marketplaceId: string, now: Date) {
  return (attributes.purchasable_offer ?? []).flatMap((offer) => {
    const currencyCode = String(offer.currency)
    const minor = currentPrice(offer, currencyCode, now)
    if (minor === undefined) return []
    return [
      isConsumerOffer(offer)
        ? renderConsumerOffer(marketplaceId, { minor, currencyCode })
        : renderBusinessOffer(marketplaceId, { minor, currencyCode }),
    ]
  })
}

export const renderConsumerOffer = (marketplaceId: string, price: Price) => ({
  marketplaceId,
  offerType: 'B2C',
  price: renderPrice(price),
  audience: { value: ALL_BUYERS, displayName: 'All buyers' },
})

const renderBusinessOffer = (marketplaceId: string, price: Price) => ({
  marketplaceId,
  offerType: 'B2B',
  price: renderPrice(price),
  audience: { value: 'B2B', displayName: 'Business buyers' },
})

const renderPrice = ({ minor, currencyCode }: Price) => ({ currencyCode, amount: formatMinor(minor, currencyCode) })

export function renderAvailability(attributes: Attributes) {
  return (attributes.fulfillment_availability ?? []).map((entry) => {
    const quantity = parseQuantity(entry.quantity)
    return {
      fulfillmentChannelCode: String(entry.fulfillment_channel_code),
      ...(quantity !== undefined && { quantity }),
    }
  })
}
