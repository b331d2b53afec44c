import { isDeepStrictEqual } from 'node:util'
import { listApplications, type RegisteredApplication } from '../../marketplace/accounts/applications.ts'
import { listAuthorizations, listRefreshTokens } from '../../marketplace/accounts/authorizations.ts'
import { listMarketplaces, type Marketplace } from '../../marketplace/accounts/marketplaces.ts'
import { listSellers } from '../../marketplace/accounts/sellers.ts'
import { listCatalogItems } from '../../marketplace/catalog/index.ts'
import { listPriceHistories } from '../../marketplace/market/index.ts'
import { listCompetitorOffers, renderOffer } from '../../marketplace/offers/offers.ts'
import { listProductTypes } from '../../marketplace/product-types/index.ts'
import { listFeedback } from '../../marketplace/trade/feedback.ts'
import { listOrders } from '../../marketplace/trade/orders.ts'
import { listReturns } from '../../marketplace/trade/returns.ts'
import type { Reader } from '../../platform/database/port.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { publicMarketplaces } from '../demo/marketplaces.ts'
import { ListingExport } from './export-listings.ts'
import { exportOrders } from './export-orders.ts'
import { type KeyOf, pages } from './pages.ts'
import type { SeedPorts } from './ports.ts'
import { FORMAT_VERSION, type SectionName } from './schema.ts'
import { withoutDefaults, withoutNulls } from './shorten.ts'

type Item = object | string

/** A part of an export: fields of the whole, or items of a list, in the order in which they are written. */
export type ExportPart = { fields: Record<string, unknown> } | { section: SectionName; items: readonly Item[] }

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000

/** Reads the marketplace in parts, all of which are equal for equal states. */
export async function* exportSeed(
  reader: Reader,
  ports: SeedPorts,
  clock: { now: Date; isFrozen: boolean },
): AsyncGenerator<ExportPart> {
  const { now, isFrozen } = clock
  yield { fields: { version: FORMAT_VERSION, clock: { time: now.toISOString(), ...(isFrozen && { frozen: true }) } } }
  const marketplaces: Marketplace[] = []
  for await (const page of pages((page) => listMarketplaces(reader, page), ['marketplaceId']))
    marketplaces.push(...page)
  yield* exportMarketplaces(marketplaces)
  yield* section(
    'productTypes',
    (page) => listProductTypes(reader, page),
    (type) => [type.definition.name],
    ({ definition }) => definition,
  )
  yield* section(
    'sellers',
    (page) => listSellers(reader, page),
    ['sellerId'],
    (seller) => withoutDefaults(seller, { accountStatus: 'NORMAL' }),
  )
  const grants = await readGrants(reader)
  yield* section(
    'applications',
    (page) => listApplications(reader, page),
    ['applicationId'],
    (one) => toApplication(one, grants.get(one.applicationId) ?? []),
  )
  yield* section(
    'catalogItems',
    (page) => listCatalogItems(reader, page),
    ['marketplaceId', 'asin'],
    (item) => item,
  )
  const listings = new ListingExport(reader, ports, marketplaces, now)
  for await (const page of pages((page) => ports.listings.list(reader, page), ['sellerId', 'sku', 'marketplaceId'])) {
    yield { section: 'listings', items: await listings.render(page) }
  }
  yield* section(
    'offers',
    (page) => listCompetitorOffers(reader, page),
    ['marketplaceId', 'asin', 'sellerId', 'sku'],
    (offer) => withoutDefaults(renderOffer(offer), { sku: '-', shippingMinor: 0, quantity: 1, terms: {} }),
  )
  yield* section(
    'priceHistories',
    (page) => listPriceHistories(reader, page),
    ['marketplaceId', 'asin'],
    ({ closings, ...history }) => ({
      ...history,
      closings: closings.map(([day, priceMinor]) => ({
        day: new Date(day * DAY_MILLISECONDS).toISOString().slice(0, 10),
        priceMinor,
      })),
    }),
  )
  for await (const page of pages((page) => listOrders(reader, page), ['sellerId', 'orderId'])) {
    yield { section: 'orders', items: await exportOrders(reader, page, listings.stocks) }
  }
  yield* section('returns', (page) => listReturns(reader, page), ['sellerId', 'rmaId'], withoutNulls)
  yield* section('feedback', (page) => listFeedback(reader, page), ['sellerId', 'orderId'], withoutNulls)
  yield* section(
    'solicitations',
    (page) => ports.solicitations.list(reader, page),
    ['sellerId', 'orderId'],
    (one) => ({
      ...one,
      sentAt: one.sentAt.toISOString(),
    }),
  )
  yield* section(
    'destinations',
    (page) => ports.notifications.listDestinations(reader, page),
    ['applicationId', 'destinationId'],
    ({ target, createdAt, ...one }) => {
      const { kind, ...place } = target
      return { ...one, [kind]: place, createdAt: createdAt.toISOString() }
    },
  )
  yield* section(
    'subscriptions',
    (page) => ports.notifications.listSubscriptions(reader, page),
    ['sellerId', 'applicationId', 'notificationType', 'payloadVersion'],
    (one) => ({ ...one, createdAt: one.createdAt.toISOString() }),
  )
}

async function* section<Row extends object>(
  name: SectionName,
  list: (page: PageRequest) => Promise<readonly Row[]>,
  keyOf: KeyOf<Row>,
  render: (row: Row) => object,
): AsyncGenerator<ExportPart> {
  for await (const page of pages(list, keyOf)) yield { section: name, items: page.map(render) }
}

/** The public marketplaces need no mention, and one of them its id only. */
function* exportMarketplaces(marketplaces: readonly Marketplace[]): Generator<ExportPart> {
  const known = new Map(publicMarketplaces.map((one) => [one.marketplaceId, one]))
  const items = marketplaces.map((one) =>
    isDeepStrictEqual(known.get(one.marketplaceId), one) ? one.marketplaceId : one,
  )
  if (items.length === known.size && items.every((one) => typeof one === 'string')) return
  yield items.length > 0 ? { section: 'marketplaces', items } : { fields: { marketplaces: [] } }
}

interface Grant {
  sellerId: string
  authorizedAt: string
  refreshTokenDigests: string[]
}

async function readGrants(reader: Reader): Promise<Map<string, Grant[]>> {
  const grants = new Map<string, Grant[]>()
  for await (const page of pages((page) => listAuthorizations(reader, page), ['sellerId', 'applicationId'])) {
    const tokens = Map.groupBy(
      await listRefreshTokens(reader, page),
      ({ sellerId, applicationId }) => `${sellerId} ${applicationId}`,
    )
    for (const { sellerId, applicationId, authorizedAt } of page) {
      const own = tokens.get(`${sellerId} ${applicationId}`) ?? []
      const grant = { sellerId, authorizedAt, refreshTokenDigests: own.map(({ tokenDigest }) => tokenDigest) }
      grants.set(applicationId, [...(grants.get(applicationId) ?? []), grant])
    }
  }
  return grants
}

/** Secrets are stored as digests only, so the export has no others. */
function toApplication(application: RegisteredApplication, authorizations: readonly Grant[]): object {
  const { clientSecretExpiresAt, previousSecret, previousSigningKey, ...rest } = application
  return {
    ...rest,
    ...(clientSecretExpiresAt && { clientSecretExpiresAt: clientSecretExpiresAt.toISOString() }),
    ...(previousSecret && {
      previousClientSecret: {
        digest: previousSecret.digest,
        endsAt: previousSecret.endsAt.toISOString(),
        ...(previousSecret.expiresAt && { expiresAt: previousSecret.expiresAt.toISOString() }),
      },
    }),
    ...(previousSigningKey && {
      previousSigningKey: { keyId: previousSigningKey.keyId, endsAt: previousSigningKey.endsAt.toISOString() },
    }),
    ...(authorizations.length > 0 && { authorizations }),
  }
}
