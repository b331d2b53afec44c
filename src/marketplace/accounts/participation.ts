import { sql } from 'kysely'
import { denied } from '../../platform/auth/caller.ts'
import type { Reader } from '../../platform/database/port.ts'
import { prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import { ApiError, invalidInput } from '../../platform/errors/api-error.ts'
import type { Explain } from '../../platform/errors/explanation.ts'
import { rankSimilar } from '../../platform/similar-words.ts'
import { fromMarketplaceRow, type Marketplace, unknownMarketplaces } from './marketplaces.ts'
import type { AccountTables } from './tables.ts'

/** A marketplace in which a seller participates. */
export interface SellerMarketplace {
  marketplaceId: string
  currencyCode: string
  languageCode: string
}

const db = queryBuilder<AccountTables>()

const selectParticipating = (sellerId: string) =>
  db
    .selectFrom('participations')
    .innerJoin('marketplaces', 'marketplaces.marketplace_id', 'participations.marketplace_id')
    .select(['participations.marketplace_id', 'currency_code', 'language_code'])
    .where('participations.seller_id', '=', sellerId)
    .where('is_participating', '=', 1)

const findParticipation = prepareLookup((params: { sellerId: string; marketplaceId: string }) =>
  selectParticipating(params.sellerId).where('participations.marketplace_id', '=', params.marketplaceId),
)

/** Requests usually name one marketplace, for which the query is prepared. */
const findParticipating = (reader: Reader, sellerId: string, marketplaceIds: readonly string[]) => {
  const [marketplaceId, ...more] = marketplaceIds
  if (marketplaceId === undefined) return []
  if (more.length === 0) return reader.all(findParticipation, { sellerId, marketplaceId })
  return reader.all(selectParticipating(sellerId).where('participations.marketplace_id', 'in', marketplaceIds))
}

const findParticipationIds = prepareLookup((params: { sellerId: string }) =>
  db
    .selectFrom('participations')
    .select('marketplace_id')
    .where('seller_id', '=', params.sellerId)
    .where('is_participating', '=', 1)
    .orderBy('marketplace_id')
    .limit(25),
)

/** Throws 400 for an unknown marketplace, and 403 if the seller does not participate in one of them. */
export async function requireParticipation(
  reader: Reader,
  sellerId: string,
  marketplaceIds: readonly string[],
  parameter = 'marketplaceIds',
): Promise<SellerMarketplace[]> {
  const rows = await findParticipating(reader, sellerId, marketplaceIds)
  const byId = new Map(rows.map((row) => [row.marketplace_id, row]))
  const marketplaces: SellerMarketplace[] = []
  const missing: string[] = []
  for (const marketplaceId of marketplaceIds) {
    const row = byId.get(marketplaceId)
    if (row) marketplaces.push({ marketplaceId, currencyCode: row.currency_code, languageCode: row.language_code })
    else missing.push(marketplaceId)
  }
  if (missing.length === 0) return marketplaces
  const [unknown] = await unknownMarketplaces(reader, missing)
  const own = (await reader.all(findParticipationIds, { sellerId })).map((row) => row.marketplace_id)
  const explain = explainParticipation(missing, own)
  if (unknown !== undefined) throw invalidInput(parameter, `Marketplace ${unknown} does not exist.`, explain)
  const remedy =
    own.length > 0 ? `The seller participates in ${own.join(', ')}.` : 'The seller participates in no marketplace.'
  throw denied(`The seller does not participate in marketplace ${missing[0]}.`, remedy, explain)
}

const explainParticipation =
  (missing: readonly string[], own: readonly string[]): Explain =>
  () => ({
    rule: 'The seller must participate in the marketplaces of a request.',
    facts: { marketplaceIds: missing, participatesIn: own },
    ...(own.length === 0
      ? { noNearest: 'The seller participates in no marketplace: the operator adds it to one.' }
      : { change: { replace: Object.fromEntries(missing.map((id) => [id, nearestOf(id, own)])) } }),
  })

const nearestOf = (id: string, known: readonly string[]) => rankSimilar(id, known)[0]?.candidate ?? id

/** Returns the error instead of throwing it, for operations that report an error per element of a batch. */
export async function findParticipationError(
  reader: Reader,
  sellerId: string,
  marketplaceId: string,
  field = 'marketplaceId',
): Promise<ApiError | undefined> {
  try {
    await requireParticipation(reader, sellerId, [marketplaceId])
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return error.code === 'InvalidInput' ? invalidInput(field, error.details, error.explain) : error
  }
}

/** For queries of other owners: one row if the seller participates in the marketplace, and none if not. */
export const participation = (sellerId: string, marketplaceId: string) =>
  sql<object>`(select 1 from participations where seller_id = ${sellerId} and marketplace_id = ${marketplaceId} and is_participating = 1)`

const findParticipations = prepareLookup((params: { sellerId: string }) =>
  db
    .selectFrom('participations')
    .innerJoin('marketplaces', 'marketplaces.marketplace_id', 'participations.marketplace_id')
    .selectAll()
    .where('seller_id', '=', params.sellerId)
    .orderBy('marketplaces.marketplace_id'),
)

export interface JoinedMarketplace {
  marketplace: Marketplace
  storeName: string
  isParticipating: boolean
  hasSuspendedListings: boolean
}

/** The marketplaces that a seller joined, whether the seller participates in them now or not. */
export async function listParticipations(reader: Reader, sellerId: string): Promise<JoinedMarketplace[]> {
  const rows = await reader.all(findParticipations, { sellerId })
  return rows.map((row) => ({
    marketplace: fromMarketplaceRow(row),
    storeName: row.store_name,
    isParticipating: row.is_participating === 1,
    hasSuspendedListings: row.has_suspended_listings === 1,
  }))
}

/** The marketplaces in which these sellers participate, ordered by seller. */
export async function listSellerMarketplaces(
  reader: Reader,
  sellerIds: readonly string[],
): Promise<{ sellerId: string; marketplaceId: string }[]> {
  if (sellerIds.length === 0) return []
  const query = db
    .selectFrom('participations')
    .select(['seller_id', 'marketplace_id'])
    .where('seller_id', 'in', [...sellerIds])
    .where('is_participating', '=', 1)
    .orderBy('seller_id')
    .orderBy('marketplace_id')
  return (await reader.all(query)).map((row) => ({ sellerId: row.seller_id, marketplaceId: row.marketplace_id }))
}
