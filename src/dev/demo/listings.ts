import { type CatalogItem, restrictionsFor } from '../../marketplace/catalog/index.ts'
import { formatMinor } from '../../marketplace/money.ts'
import type { SeededListing } from '../seed/ports.ts'
import { demoPriceMinor, demoSellerItemsIn } from './catalog.ts'
import { DE, demoSeller, otherSeller, US } from './identities.ts'
import { products } from './orders.ts'

type Entry = Record<string, unknown>

interface ListingVariant {
  suffix: string
  conditionType: string
  channel: string
  percentOfPrice: number
}

const newVariant: ListingVariant = { suffix: '', conditionType: 'new_new', channel: 'DEFAULT', percentOfPrice: 100 }
const variants: readonly ListingVariant[] = [
  newVariant,
  { suffix: '-FBA', conditionType: 'new_new', channel: 'AMAZON_NA', percentOfPrice: 104 },
  { suffix: '-LIKE-NEW', conditionType: 'used_like_new', channel: 'DEFAULT', percentOfPrice: 80 },
  { suffix: '-USED', conditionType: 'used_good', channel: 'DEFAULT', percentOfPrice: 55 },
]

const DAY = 24 * 60 * 60 * 1000
// Some listings have realistic issues: out of stock, no image, a price outside of the seller's own limits.
const isSoldOut = (index: number) => index % 7 === 3
const lacksImage = (index: number) => index % 11 === 5
const isPricedOutOfBounds = (index: number) => index % 17 === 9

export const UNKNOWN_SKU = 'SOUK-GHOST-001'

/** More than 200 listings of the demo seller, and a few of the other seller. */
export function demoListings(now: Date): SeededListing[] {
  const american = demoSellerItemsIn(US)
  return [
    ...american.flatMap((item) => variants.map((variety) => ({ item, variety }))),
    ...demoSellerItemsIn(DE).map((item) => ({ item, variety: newVariant })),
  ]
    .map(({ item, variety }, index) => buildListing(demoSeller.sellerId, item, variety, index, now))
    .concat(american.slice(0, 5).map((item, index) => buildListing(otherSeller.sellerId, item, newVariant, index, now)))
    .concat([buildUnknownListing(now)])
}

function buildListing(
  sellerId: string,
  item: CatalogItem,
  { suffix, conditionType, channel, percentOfPrice }: ListingVariant,
  index: number,
  now: Date,
): SeededListing {
  const { marketplaceId, asin, productType } = item
  const currencyCode = marketplaceId === DE ? 'EUR' : 'USD'
  const priceMinor = Math.round((demoPriceMinor(asin) * percentOfPrice) / 100)
  const entry = (fields: Entry) => [{ ...fields, marketplace_id: marketplaceId }]
  const text = (value: string) => entry({ value, language_tag: marketplaceId === DE ? 'de_DE' : 'en_US' })
  const price = (minor: number) => [{ schedule: [{ value_with_tax: Number(formatMinor(minor, currencyCode)) }] }]
  const quantity = isSoldOut(index) ? 0 : 3 + (index % 40)
  return {
    sellerId,
    sku: `${skuOf(item)}${suffix}`,
    marketplaceId,
    currencyCode,
    productType,
    asin,
    ...(channel !== 'DEFAULT' && { fnSku: `X00${asin.slice(-7)}` }),
    product: {
      item_name: text(item.itemName),
      brand: text(item.brand ?? 'Bazaar'),
      bullet_point: text(`${item.itemName}: made to last`),
      product_description: text(`${item.itemName} by ${item.brand}, from our own workshop.`),
      country_of_origin: entry({ value: 'PT' }),
      color: text(item.color ?? 'grey'),
      model_number: entry({ value: item.modelNumber ?? asin }),
      ...(!lacksImage(index) && {
        main_product_image_locator: entry({ media_location: item.images?.[0]?.link ?? '' }),
      }),
    },
    offer: {
      condition_type: entry({ value: conditionType }),
      purchasable_offer: entry({
        currency: currencyCode,
        audience: 'ALL',
        our_price: price(priceMinor),
        ...(isPricedOutOfBounds(index) && { minimum_seller_allowed_price: price(priceMinor + 1000) }),
      }),
      fulfillment_availability: entry({
        fulfillment_channel_code: channel,
        ...(channel === 'DEFAULT' && { quantity }),
      }),
    },
    isRestricted: restrictionsFor(item, sellerId, conditionType).length > 0,
    createdAt: new Date(now.getTime() - (20 + index) * DAY),
  }
}

/** The shoes have the SKUs of the orders. All other SKUs derive from the product's number. */
function skuOf({ asin, productType }: CatalogItem): string {
  return products.find((product) => product.asin === asin)?.sku ?? `SOUK-${productType}-${asin.slice(-3)}`
}

/** A listing in state UNKNOWN: the result of a change to a SKU that was never created. */
function buildUnknownListing(now: Date): SeededListing {
  const availability = { fulfillment_channel_code: 'DEFAULT', quantity: 5, marketplace_id: US }
  return {
    sellerId: demoSeller.sellerId,
    sku: UNKNOWN_SKU,
    marketplaceId: US,
    currencyCode: 'USD',
    productType: 'SHOES',
    state: 'UNKNOWN',
    product: {},
    offer: { fulfillment_availability: [availability] },
    isRestricted: false,
    createdAt: now,
  }
}
