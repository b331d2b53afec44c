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
import { marketId } from '../marketplace/offers/market-key.ts'
import { type CompetitorOffer, findOffers, offerId, withDefaults } from '../marketplace/offers/offers.ts'
import { findOrders, type Order, type OrderKey, orderKey } from '../marketplace/trade/orders.ts'
import { findReturnViolations } from '../marketplace/trade/return-rules.ts'
import type { Return } from '../marketplace/trade/returns.ts'
import type { Reader } from '../platform/database/port.ts'
import { invalidParameter } from '../platform/errors/api-error.ts'

// References between resources. Each check covers a whole batch with one query and reports the first violation.

export async function requireSellers(reader: Reader, path: string, resources: readonly { sellerId: string }[]) {
  const missing = await unknownSellers(
    reader,
    resources.map((resource) => resource.sellerId),
  )
  refuseUnknown(path, 'sellerId', resources, missing)
}

export async function requireMarketplaces(
  reader: Reader,
  path: string,
  resources: readonly { marketplaceId: string }[],
) {
  const missing = await unknownMarketplaces(
    reader,
    resources.map((resource) => resource.marketplaceId),
  )
  refuseUnknown(path, 'marketplaceId', resources, missing)
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

/** A delegatee is an existing application, or one of the same batch. */
export async function requireDelegatees(reader: Reader, applications: readonly Application[]): Promise<void> {
  const missing = new Set(applications.flatMap(({ delegatees = [] }) => delegatees))
  for (const { applicationId } of applications) missing.delete(applicationId)
  for (const { applicationId } of await findApplications(reader, [...missing])) missing.delete(applicationId)
  for (const [index, { delegatees = [] }] of applications.entries()) {
    const itemIndex = delegatees.findIndex((delegatee) => missing.has(delegatee))
    if (itemIndex !== -1) throw invalidParameter(`applications[${index}].delegatees[${itemIndex}]`, 'does not exist')
  }
}

type OrdersByKey = Map<string, Order>

/** Returns the orders of the resources. Orders of other sellers are treated as missing. */
export async function requireOrders(
  reader: Reader,
  path: string,
  resources: readonly OrderKey[],
): Promise<OrdersByKey> {
  const orders = new Map((await findOrders(reader, resources)).map((order) => [orderKey(order), order]))
  const index = resources.findIndex((resource) => !orders.has(orderKey(resource)))
  if (index !== -1) throw invalidParameter(`${path}[${index}].orderId`, 'does not exist')
  return orders
}

export async function requireReturnableItems(
  reader: Reader,
  path: string,
  returns: readonly Return[],
  orders: OrdersByKey,
): Promise<void> {
  const [first] = await findReturnViolations(reader, returns, orders)
  if (first) throw invalidParameter(`${path}[${first.index}].${first.field}`, first.reason)
}

export async function requireCatalogItems(
  reader: Reader,
  path: string,
  resources: readonly CatalogKey[],
): Promise<void> {
  const known = new Set((await findCatalogItems(reader, resources)).map(marketId))
  const index = resources.findIndex((resource) => !known.has(marketId(resource)))
  if (index !== -1) throw invalidParameter(`${path}[${index}].asin`, 'does not exist in the marketplace')
}

/** Prices of one product are compared with each other, so they need one currency. */
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
      throw invalidParameter(`${path}[${index}].currencyCode`, `must be the currency of the marketplace: ${own}`)
  }
}

/** The offer of a listing changes with the listing only. */
export async function refuseOffersOfListings(reader: Reader, path: string, offers: readonly CompetitorOffer[]) {
  const keys = offers.map(withDefaults)
  const listingOffers = (await findOffers(reader, keys)).filter(({ fromListing }) => fromListing)
  const own = new Set(listingOffers.map(offerId))
  const index = keys.findIndex((key) => own.has(offerId(key)))
  if (index !== -1) throw invalidParameter(`${path}[${index}]`, "is the offer of a seller's listing")
}

export function refuseLargeAttributes(path: string, items: readonly CatalogItem[]): void {
  const index = items.findIndex(
    ({ attributes }) => attributes && Buffer.byteLength(JSON.stringify(attributes)) > MAX_ATTRIBUTE_BYTES,
  )
  if (index !== -1)
    throw invalidParameter(`${path}[${index}].attributes`, `takes more than ${MAX_ATTRIBUTE_BYTES} bytes`)
}

export function refuseRepeatedItems(path: string, resources: readonly { items: readonly { orderItemId: string }[] }[]) {
  for (const [index, { items }] of resources.entries()) refuseRepeated(`${path}[${index}].items`, 'orderItemId', items)
}

function refuseUnknown<Name extends string>(
  path: string,
  name: Name,
  resources: readonly Record<Name, string>[],
  missing: Set<string>,
): void {
  const index = resources.findIndex((resource) => missing.has(resource[name]))
  if (index !== -1) throw invalidParameter(`${path}[${index}].${name}`, 'does not exist')
}

function refuseRepeated<Name extends string>(
  path: string,
  name: Name,
  resources: readonly Record<Name, string>[],
): void {
  const index = resources.findIndex(
    (resource, itemIndex) => resources.findIndex((other) => other[name] === resource[name]) < itemIndex,
  )
  if (index !== -1) throw invalidParameter(`${path}[${index}].${name}`, 'is duplicated')
}
