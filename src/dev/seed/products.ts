import { type CatalogItem, MAX_ATTRIBUTE_BYTES, restrictionsFor } from '../../marketplace/catalog/index.ts'
import { dayOf, type PriceHistory } from '../../marketplace/market/index.ts'
import { formatMinor } from '../../marketplace/money.ts'
import { type CompetitorOffer, UNDISCLOSED_SKU } from '../../marketplace/offers/offers.ts'
import { lookUpTypes, type ProductType } from '../../marketplace/product-types/index.ts'
import { type Accounts, dateOf } from './accounts.ts'
import { derivedFnSku } from './derived.ts'
import type { ListingView, SeededListing } from './ports.ts'
import type { Reading } from './reading.ts'
import type { Seed } from './schema.ts'
import { mapInSteps } from './steps.ts'

export interface Products {
  catalogItems: readonly CatalogItem[]
  listings: SeededListing[]
  offers: readonly CompetitorOffer[]
  priceHistories: PriceHistory[]
  /** By `listingKey`. */
  views: ReadonlyMap<string, ListingView & { createdAt: Date; isKnown: boolean; asin: string | undefined }>
}

export const listingKey = (listing: { sellerId: string; marketplaceId: string; sku: string }): string =>
  `${listing.sellerId} ${listing.marketplaceId} ${listing.sku}`

const productKey = (product: { marketplaceId: string; asin: string }) => `${product.marketplaceId} ${product.asin}`

export async function readProducts(reading: Reading, { productTypes, sellers }: Accounts): Promise<Products> {
  const { catalogItems = [], listings = [], offers = [], priceHistories = [] } = reading.seed
  const catalog = new Map(catalogItems.map((item) => [productKey(item), item]))
  await mapInSteps(catalogItems, (item, index) => checkItem(reading, item, `catalogItems[${index}]`))
  const findType = await lookUpTypes(productTypes)
  const sellerIds = new Set(sellers.map(({ sellerId }) => sellerId))
  const context: ListingContext = { reading, catalog, findType, sellerIds }
  const read = await mapInSteps(listings, (listing, index) => readListing(context, listing, `listings[${index}]`))
  const views = new Map(
    await mapInSteps(read, (listing) => {
      const { createdAt, state, asin } = listing
      const view = reading.rules.describeListing(listing, reading.now)
      return [listingKey(listing), { ...view, createdAt, isKnown: state !== 'UNKNOWN', asin }] as const
    }),
  )
  return {
    catalogItems,
    listings: read,
    offers: await mapInSteps(offers, (offer, index) => readOffer(reading, catalog, offer, `offers[${index}]`)),
    priceHistories: await mapInSteps(priceHistories, (one, index) =>
      readHistory(reading, one, `priceHistories[${index}]`),
    ),
    views,
  }
}

function checkItem(reading: Reading, item: CatalogItem, path: string): void {
  reading.requireMarketplace(`${path}.marketplaceId`, item.marketplaceId)
  reading.claim('catalogItem', [item.marketplaceId, item.asin], path)
  if (item.attributes && Buffer.byteLength(JSON.stringify(item.attributes)) > MAX_ATTRIBUTE_BYTES) {
    reading.refuse(`${path}.attributes`, `takes more than ${MAX_ATTRIBUTE_BYTES} bytes`)
  }
}

interface ListingContext {
  reading: Reading
  catalog: ReadonlyMap<string, CatalogItem>
  findType(name: string): ProductType | undefined
  sellerIds: ReadonlySet<string>
}

type SeedListing = NonNullable<Seed['listings']>[number]

function readListing(
  { reading, catalog, findType, sellerIds }: ListingContext,
  seed: SeedListing,
  path: string,
): SeededListing {
  const { sellerId, sku, marketplaceId, asin, requirements, state, issues } = seed
  const marketplace = reading.requireMarketplace(`${path}.marketplaceId`, marketplaceId)
  if (!sellerIds.has(sellerId)) reading.refuse(`${path}.sellerId`, `there is no seller ${sellerId}; add it to sellers`)
  reading.claim('listing', [sellerId, marketplaceId, sku], path)
  const item = asin === undefined ? undefined : catalog.get(productKey({ marketplaceId, asin }))
  if (asin !== undefined && !item) {
    reading.refuse(`${path}.asin`, `no catalog item has the ASIN ${asin} in marketplace ${marketplaceId}`)
  }
  const name = seed.productType ?? item?.productType
  const type = name === undefined ? undefined : findType(name)
  if (!type) {
    const reason = name === undefined ? 'is required without an ASIN' : `there is no product type ${name}`
    reading.refuse(`${path}.productType`, reason)
  }
  for (const [index, { kind }] of (issues ?? []).entries()) {
    if (!reading.rules.isIssueKind(kind)) reading.refuse(`${path}.issues[${index}].kind`, 'is not a kind of issue')
  }
  const currencyCode = marketplace?.currencyCode ?? ''
  const attributes = readAttributes(reading, seed, item, { path, currencyCode })
  const product: Record<string, Record<string, unknown>[]> = {}
  const offer: Record<string, Record<string, unknown>[]> = {}
  for (const [attribute, entries] of Object.entries(attributes)) {
    const isOffer = type?.isOffer(attribute) ?? false
    // The rules of sale read these, and expect what their schemas allow.
    const [violation] = isOffer ? (type?.check(attribute, entries) ?? []) : []
    if (violation)
      reading.refuse(`${path}.attributes.${attribute}`, `is not valid at ${violation.path}: ${violation.rule}`)
    const target = isOffer && !violation ? offer : product
    target[attribute] = entries.map((entry) =>
      entry.marketplace_id === undefined ? { ...entry, marketplace_id: marketplaceId } : entry,
    )
  }
  const createdAt = seed.createdAt === undefined ? reading.now : dateOf(seed.createdAt)
  const { fulfillmentType, conditionType } = reading.rules.describeListing(
    { product, offer, currencyCode },
    reading.now,
  )
  const fnSku =
    seed.fnSku ?? (asin !== undefined && fulfillmentType === 'AFN' ? derivedFnSku(sellerId, sku) : undefined)
  return {
    sellerId,
    sku,
    marketplaceId,
    currencyCode,
    productType: name ?? '',
    ...(requirements && { requirements }),
    ...(state && { state }),
    ...(asin !== undefined && { asin }),
    ...(fnSku !== undefined && { fnSku }),
    product,
    offer,
    isRestricted: item !== undefined && restrictionsFor(item, sellerId, conditionType).length > 0,
    ...(issues && { issues }),
    createdAt,
    ...(seed.updatedAt !== undefined && { updatedAt: dateOf(seed.updatedAt) }),
  }
}

/** The attributes of a listing, with those that follow from its other fields and from the catalog item. */
function readAttributes(
  reading: Reading,
  seed: SeedListing,
  item: CatalogItem | undefined,
  { path, currencyCode }: { path: string; currencyCode: string },
): Record<string, Record<string, unknown>[]> {
  const { attributes, priceMinor, quantity, conditionType, fulfillmentChannel } = seed
  const isBrief = attributes === undefined
  const price = priceMinor !== undefined && {
    purchasable_offer: [
      {
        currency: currencyCode,
        audience: 'ALL',
        our_price: [{ schedule: [{ value_with_tax: Number(formatMinor(priceMinor, currencyCode)) }] }],
      },
    ],
  }
  const hasStock = quantity !== undefined || fulfillmentChannel !== undefined || isBrief
  const channel = fulfillmentChannel === 'AFN' ? 'AMAZON_NA' : 'DEFAULT'
  const stock = hasStock && {
    fulfillment_availability: [
      { fulfillment_channel_code: channel, ...(channel === 'DEFAULT' && { quantity: quantity ?? 0 }) },
    ],
  }
  const condition = (conditionType !== undefined || isBrief) && {
    condition_type: [{ value: conditionType ?? 'new_new' }],
  }
  const followed: Record<string, Record<string, unknown>[]> = { ...condition, ...price, ...stock }
  const fields = {
    purchasable_offer: 'priceMinor',
    fulfillment_availability: 'quantity',
    condition_type: 'conditionType',
  }
  for (const [attribute, field] of Object.entries(fields)) {
    if (followed[attribute] && attributes?.[attribute]) {
      reading.refuse(`${path}.${field}`, `must not be combined with attributes.${attribute}`)
    }
  }
  if (quantity !== undefined && channel !== 'DEFAULT') {
    reading.refuse(`${path}.quantity`, 'must be absent: the marketplace holds the stock of an AFN listing')
  }
  return { ...(isBrief && item && productAttributes(item)), ...attributes, ...followed }
}

function productAttributes({ itemName, brand, images }: CatalogItem): Record<string, Record<string, unknown>[]> {
  const image = images?.find(({ variant }) => variant === 'MAIN')?.link
  return {
    item_name: [{ value: itemName }],
    ...(brand !== undefined && { brand: [{ value: brand }] }),
    ...(image !== undefined && { main_product_image_locator: [{ media_location: image }] }),
  }
}

type SeedOffer = NonNullable<Seed['offers']>[number]

function readOffer(
  reading: Reading,
  catalog: ReadonlyMap<string, CatalogItem>,
  seed: SeedOffer,
  path: string,
): CompetitorOffer {
  const { marketplaceId, asin, sellerId, sku = UNDISCLOSED_SKU } = seed
  const marketplace = reading.requireMarketplace(`${path}.marketplaceId`, marketplaceId)
  const currencyCode = seed.currencyCode ?? marketplace?.currencyCode ?? ''
  if (marketplace && !catalog.has(productKey({ marketplaceId, asin }))) {
    reading.refuse(`${path}.asin`, `no catalog item has the ASIN ${asin} in marketplace ${marketplaceId}`)
  }
  if (marketplace && currencyCode !== marketplace.currencyCode) {
    reading.refuse(`${path}.currencyCode`, `must be the currency of the marketplace: ${marketplace.currencyCode}`)
  }
  reading.claim('offer', [marketplaceId, asin, sellerId, sku], path)
  return {
    ...seed,
    sku,
    currencyCode,
    conditionType: seed.conditionType ?? 'new_new',
    fulfillmentType: seed.fulfillmentType ?? 'MFN',
  }
}

type SeedHistory = NonNullable<Seed['priceHistories']>[number]

function readHistory(reading: Reading, { closings, ...seed }: SeedHistory, path: string): PriceHistory {
  const marketplace = reading.requireMarketplace(`${path}.marketplaceId`, seed.marketplaceId)
  reading.claim('priceHistory', [seed.marketplaceId, seed.asin], path)
  const days = closings.map(({ day }) => dayOf(new Date(day)))
  for (const [index, day] of days.entries()) {
    if (index > 0 && day <= (days[index - 1] as number)) {
      reading.refuse(`${path}.closings[${index}].day`, 'must be after the day before it in the list')
    }
  }
  return {
    marketplaceId: seed.marketplaceId,
    asin: seed.asin,
    currencyCode: seed.currencyCode ?? marketplace?.currencyCode ?? '',
    closings: closings.map(({ priceMinor }, index) => [days[index] as number, priceMinor]),
  }
}
