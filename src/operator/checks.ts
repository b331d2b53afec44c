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
import { type Order, type OrderKey, orderKey } from '../marketplace/trade/orders.ts'
import { findReturnViolations } from '../marketplace/trade/return-rules.ts'
import type { Return } from '../marketplace/trade/returns.ts'
import type { Reader } from '../platform/database/port.ts'
import { invalidParameters, type Violation } from '../platform/errors/api-error.ts'

// References between resources. Each check covers a whole batch with one query and returns all violations.

/** Where a resource is in the request: `orders[0]` in a batch, nothing if it is the whole body. */
export type PathOf = (index: number) => string

export const inBatch =
  (plural: string): PathOf =>
  (index) =>
    `${plural}[${index}]`

export const wholeBody: PathOf = () => ''

const join = (path: string, field: string) => (path && field ? `${path}.${field}` : path || field)

/** Throws all violations at once, if there are any. */
export function refuse(...violations: readonly (readonly Violation[])[]): void {
  const all = violations.flat()
  if (all.length > 0) throw invalidParameters(all)
}

const resourceOf = ({ path }: Violation) => path.slice(0, Math.max(0, path.lastIndexOf('.')))

/** Without those that only follow from others: an unknown seller has no orders. */
export function unlessImplied(violations: readonly Violation[], by: readonly Violation[]): Violation[] {
  const resources = new Set(by.map(resourceOf))
  return violations.filter((violation) => !resources.has(resourceOf(violation)))
}

export const toViolations = (
  violations: readonly { index: number; field: string; reason: string }[],
  pathOf: PathOf,
): Violation[] => violations.map(({ index, field, reason }) => ({ path: join(pathOf(index), field), reason }))

/** One violation for each resource with a reason. */
const check = <Resource>(
  resources: readonly Resource[],
  pathOf: PathOf,
  field: string,
  findReason: (resource: Resource, index: number) => string | false | undefined,
): Violation[] =>
  resources.flatMap((resource, index) => {
    const reason = findReason(resource, index)
    return reason ? [{ path: join(pathOf(index), field), reason }] : []
  })

const MISSING = 'does not exist'

export async function checkSellers(reader: Reader, pathOf: PathOf, resources: readonly { sellerId: string }[]) {
  const missing = await unknownSellers(
    reader,
    resources.map((resource) => resource.sellerId),
  )
  return check(resources, pathOf, 'sellerId', ({ sellerId }) => missing.has(sellerId) && MISSING)
}

export async function checkMarketplaces(
  reader: Reader,
  pathOf: PathOf,
  resources: readonly { marketplaceId: string }[],
) {
  const missing = await unknownMarketplaces(
    reader,
    resources.map((resource) => resource.marketplaceId),
  )
  return check(resources, pathOf, 'marketplaceId', ({ marketplaceId }) => missing.has(marketplaceId) && MISSING)
}

export async function checkParticipations(reader: Reader, pathOf: PathOf, sellers: readonly Seller[]) {
  const named = sellers.flatMap((seller) => seller.participations.map((participation) => participation.marketplaceId))
  const missing = await unknownMarketplaces(reader, named)
  return sellers.flatMap(({ participations }, index) => {
    const pathOfOne = inBatch(join(pathOf(index), 'participations'))
    return [
      ...check(
        participations,
        pathOfOne,
        'marketplaceId',
        ({ marketplaceId }) => missing.has(marketplaceId) && MISSING,
      ),
      ...checkRepeated(participations, pathOfOne, 'marketplaceId'),
    ]
  })
}

export async function checkApplications(reader: Reader, pathOf: PathOf, authorizations: readonly Authorization[]) {
  const missing = new Set(authorizations.map((authorization) => authorization.applicationId))
  for (const { applicationId } of await findApplications(reader, [...missing])) missing.delete(applicationId)
  return check(authorizations, pathOf, 'applicationId', ({ applicationId }) => missing.has(applicationId) && MISSING)
}

/** A delegatee is an existing application, or one of the same batch. */
export async function checkDelegatees(reader: Reader, pathOf: PathOf, applications: readonly Application[]) {
  const missing = new Set(applications.flatMap(({ delegatees = [] }) => delegatees))
  for (const { applicationId } of applications) missing.delete(applicationId)
  for (const { applicationId } of await findApplications(reader, [...missing])) missing.delete(applicationId)
  return applications.flatMap(({ delegatees = [] }, index) => {
    const pathOfOne = inBatch(join(pathOf(index), 'delegatees'))
    return check(delegatees, pathOfOne, '', (delegatee) => missing.has(delegatee) && MISSING)
  })
}

/** Orders of other sellers are treated as missing. */
export const checkOrders = (
  orders: ReadonlyMap<string, Order>,
  pathOf: PathOf,
  resources: readonly OrderKey[],
): Violation[] => check(resources, pathOf, 'orderId', (resource) => !orders.has(orderKey(resource)) && MISSING)

export async function checkReturns(
  reader: Reader,
  pathOf: PathOf,
  returns: readonly Return[],
  orders: ReadonlyMap<string, Order>,
) {
  return toViolations(await findReturnViolations(reader, returns, orders), pathOf)
}

export async function checkCatalogItems(reader: Reader, pathOf: PathOf, resources: readonly CatalogKey[]) {
  const known = new Set((await findCatalogItems(reader, resources)).map(marketId))
  const reason = 'does not exist in the marketplace'
  return check(resources, pathOf, 'asin', (resource) => !known.has(marketId(resource)) && reason)
}

/** Prices of one product are compared with each other, so they need one currency. */
export async function checkCurrencies(reader: Reader, pathOf: PathOf, offers: readonly CompetitorOffer[]) {
  const named = [...new Set(offers.map(({ marketplaceId }) => marketplaceId))]
  const currencies = new Map(
    (await findMarketplaces(reader, named)).map(({ marketplaceId, currencyCode }) => [marketplaceId, currencyCode]),
  )
  return check(offers, pathOf, 'currencyCode', ({ marketplaceId, currencyCode }) => {
    const own = currencies.get(marketplaceId)
    return own !== undefined && currencyCode !== own && `must be the currency of the marketplace: ${own}`
  })
}

/** The offer of a listing changes with the listing only. */
export async function checkOrigins(reader: Reader, pathOf: PathOf, offers: readonly CompetitorOffer[]) {
  const keys = offers.map(withDefaults)
  const listingOffers = (await findOffers(reader, keys)).filter(({ fromListing }) => fromListing)
  const own = new Set(listingOffers.map(offerId))
  return keys.flatMap((key, index): Violation[] => {
    const reason = "is the offer of a seller's listing"
    return own.has(offerId(key)) ? [{ path: pathOf(index) || 'sku', reason }] : []
  })
}

export const checkAttributes = (pathOf: PathOf, items: readonly CatalogItem[]): Violation[] =>
  check(
    items,
    pathOf,
    'attributes',
    ({ attributes }) =>
      attributes &&
      Buffer.byteLength(JSON.stringify(attributes)) > MAX_ATTRIBUTE_BYTES &&
      `takes more than ${MAX_ATTRIBUTE_BYTES} bytes`,
  )

export const checkItems = (
  pathOf: PathOf,
  resources: readonly { items: readonly { orderItemId: string }[] }[],
): Violation[] =>
  resources.flatMap(({ items }, index) => checkRepeated(items, inBatch(join(pathOf(index), 'items')), 'orderItemId'))

function checkRepeated<Name extends string>(
  resources: readonly Record<Name, string>[],
  pathOf: PathOf,
  name: Name,
): Violation[] {
  const seen = new Set<string>()
  return check(resources, pathOf, name, (resource) => {
    const isRepeated = seen.has(resource[name])
    seen.add(resource[name])
    return isRepeated && 'is duplicated'
  })
}
