import { type Application, findApplications } from '../marketplace/accounts/applications.ts'
import type { Authorization } from '../marketplace/accounts/authorizations.ts'
import { findMarketplaces, unknownMarketplaces } from '../marketplace/accounts/marketplaces.ts'
import { type Seller, unknownSellers } from '../marketplace/accounts/sellers.ts'
import {
  type CatalogItem,
  type CatalogKey,
  findCatalogItems,
  MAX_ATTRIBUTE_BYTES,
} from '../marketplace/catalog/index.ts'
import { type CompetitorOffer, findOffers, type OfferKey, UNDISCLOSED_SKU } from '../marketplace/offers/offers.ts'
import { findOrders, type Order } from '../marketplace/trade/orders.ts'
import type { Return } from '../marketplace/trade/returns.ts'
import type { Reader } from '../platform/database/port.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'

// What one fact says of another. Each check asks for a whole batch at once and names the first place that is wrong.

export async function requireSellers(reader: Reader, path: string, facts: readonly { sellerId: string }[]) {
  const missing = await unknownSellers(
    reader,
    facts.map((fact) => fact.sellerId),
  )
  refuseUnknown(path, 'sellerId', facts, missing)
}

export async function requireMarketplaces(reader: Reader, path: string, facts: readonly { marketplaceId: string }[]) {
  const missing = await unknownMarketplaces(
    reader,
    facts.map((fact) => fact.marketplaceId),
  )
  refuseUnknown(path, 'marketplaceId', facts, missing)
}

export async function requireParticipatedMarketplaces(reader: Reader, sellers: readonly Seller[]): Promise<void> {
  const named = sellers.flatMap((seller) => seller.participations.map((participation) => participation.marketplaceId))
  const missing = await unknownMarketplaces(reader, named)
  for (const [index, { participations }] of sellers.entries()) {
    refuseUnknown(`sellers[${index}].participations`, 'marketplaceId', participations, missing)
    refuseRepeated(`sellers[${index}].participations`, 'marketplaceId', participations)
  }
}

export async function requireApplications(reader: Reader, authorizations: readonly Authorization[]): Promise<void> {
  const missing = new Set(authorizations.map((authorization) => authorization.applicationId))
  for (const { applicationId } of await findApplications(reader, [...missing])) missing.delete(applicationId)
  refuseUnknown('authorizations', 'applicationId', authorizations, missing)
}

/** A delegatee is an application that exists, or one of the same batch. */
export async function requireDelegatees(reader: Reader, applications: readonly Application[]): Promise<void> {
  const missing = new Set(applications.flatMap(({ delegatees = [] }) => delegatees))
  for (const { applicationId } of applications) missing.delete(applicationId)
  for (const { applicationId } of await findApplications(reader, [...missing])) missing.delete(applicationId)
  for (const [index, { delegatees = [] }] of applications.entries()) {
    const itemIndex = delegatees.findIndex((delegatee) => missing.has(delegatee))
    if (itemIndex !== -1)
      throw invalidParameter(`applications[${index}].delegatees[${itemIndex}]`, 'names nothing that exists')
  }
}

type OrderKey = Pick<Order, 'sellerId' | 'orderId'>
type OrdersByKey = Map<string, Order>
const keyOf = ({ sellerId, orderId }: OrderKey) => `${sellerId} ${orderId}`

/** Another seller's order is none that exists. Answers the orders that the facts are about. */
export async function requireOrders(reader: Reader, path: string, facts: readonly OrderKey[]): Promise<OrdersByKey> {
  const orders = new Map((await findOrders(reader, facts)).map((order) => [keyOf(order), order]))
  const index = facts.findIndex((fact) => !orders.has(keyOf(fact)))
  if (index !== -1) throw invalidParameter(`${path}[${index}].orderId`, 'names nothing that exists')
  return orders
}

/** Nothing comes back that was not sold, and not more of it than was. */
export function requireOrderedItems(path: string, returns: readonly Return[], orders: OrdersByKey): void {
  for (const [index, one] of returns.entries()) {
    const ordered = new Map(orders.get(keyOf(one))?.items.map((item) => [item.orderItemId, item.quantity]))
    for (const [itemIndex, { orderItemId, quantity }] of one.items.entries()) {
      const orderedQuantity = ordered.get(orderItemId)
      const item = `${path}[${index}].items[${itemIndex}]`
      if (orderedQuantity === undefined) throw invalidParameter(`${item}.orderItemId`, 'names no item of the order')
      if (quantity > orderedQuantity)
        throw invalidParameter(`${item}.quantity`, `is more than was ordered: ${orderedQuantity}`)
    }
  }
}

export async function requireCatalogItems(reader: Reader, path: string, facts: readonly CatalogKey[]): Promise<void> {
  const keyOf = ({ marketplaceId, asin }: CatalogKey) => `${marketplaceId} ${asin}`
  const known = new Set((await findCatalogItems(reader, facts)).map(keyOf))
  const index = facts.findIndex((fact) => !known.has(keyOf(fact)))
  if (index !== -1) throw invalidParameter(`${path}[${index}].asin`, 'names nothing that exists in the marketplace')
}

/** Prices of one product are compared with each other, so they are in one currency. */
export async function requireOwnCurrency(
  reader: Reader,
  path: string,
  offers: readonly CompetitorOffer[],
): Promise<void> {
  const named = [...new Set(offers.map(({ marketplaceId }) => marketplaceId))]
  const currencies = new Map(
    (await findMarketplaces(reader, named)).map(({ marketplaceId, currencyCode }) => [marketplaceId, currencyCode]),
  )
  for (const [index, { marketplaceId, currencyCode }] of offers.entries()) {
    const own = currencies.get(marketplaceId)
    if (currencyCode !== own)
      throw invalidParameter(`${path}[${index}].currencyCode`, `is not the marketplace's: ${own}`)
  }
}

/** An offer that a listing makes follows the listing, and nothing else. */
export async function refuseOffersOfListings(reader: Reader, path: string, offers: readonly CompetitorOffer[]) {
  const keyOf = ({ marketplaceId, asin, sellerId, sku }: OfferKey) => [marketplaceId, asin, sellerId, sku].join(' ')
  const keys = offers.map((offer) => ({ ...offer, sku: offer.sku ?? UNDISCLOSED_SKU }))
  const listingOffers = (await findOffers(reader, keys)).filter(({ fromListing }) => fromListing)
  const own = new Set(listingOffers.map(keyOf))
  const index = keys.findIndex((key) => own.has(keyOf(key)))
  if (index !== -1) throw invalidParameter(`${path}[${index}]`, "is the offer of a seller's own listing")
}

export function refuseLargeAttributes(path: string, items: readonly CatalogItem[]): void {
  const index = items.findIndex(
    ({ attributes }) => attributes && Buffer.byteLength(JSON.stringify(attributes)) > MAX_ATTRIBUTE_BYTES,
  )
  if (index !== -1)
    throw invalidParameter(`${path}[${index}].attributes`, `takes more than ${MAX_ATTRIBUTE_BYTES} bytes`)
}

export function refuseRepeatedItems(path: string, facts: readonly { items: readonly { orderItemId: string }[] }[]) {
  for (const [index, { items }] of facts.entries()) refuseRepeated(`${path}[${index}].items`, 'orderItemId', items)
}

function refuseUnknown<Name extends string>(
  path: string,
  name: Name,
  facts: readonly Record<Name, string>[],
  missing: Set<string>,
): void {
  const index = facts.findIndex((fact) => missing.has(fact[name]))
  if (index !== -1) throw invalidParameter(`${path}[${index}].${name}`, 'names nothing that exists')
}

function refuseRepeated<Name extends string>(path: string, name: Name, facts: readonly Record<Name, string>[]): void {
  const index = facts.findIndex((fact, itemIndex) => facts.findIndex((other) => other[name] === fact[name]) < itemIndex)
  if (index !== -1) throw invalidParameter(`${path}[${index}].${name}`, 'stands there twice')
}
