import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { isInJson } from '../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { CountryCode, MarketplaceId, Name, SellerId, strict } from '../schema.ts'
import type { AccountTables } from './tables.ts'

const BUSINESS_TYPES = [
  'CHARITY',
  'CRAFTSMAN',
  'NATURAL_PERSON_COMPANY',
  'PUBLIC_LISTED',
  'PRIVATE_LIMITED',
  'SOLE_PROPRIETORSHIP',
  'STATE_OWNED',
  'INDIVIDUAL',
] as const
const SELLING_PLANS = ['PROFESSIONAL', 'INDIVIDUAL'] as const
export const ACCOUNT_STATUSES = ['NORMAL', 'AT_RISK', 'DEACTIVATED'] as const

const Address = Type.Object(
  {
    addressLine1: Name,
    addressLine2: Type.Optional(Name),
    city: Type.Optional(Name),
    stateOrProvinceCode: Type.Optional(Name),
    postalCode: Type.Optional(Name),
    countryCode: CountryCode,
  },
  strict,
)

export const Business = Type.Object(
  {
    name: Name,
    registeredBusinessAddress: Address,
    companyRegistrationNumber: Type.Optional(Name),
    companyTaxIdentificationNumber: Type.Optional(Name),
    nonLatinName: Type.Optional(Name),
  },
  strict,
)
export const PrimaryContact = Type.Object({ name: Name, address: Address, nonLatinName: Type.Optional(Name) }, strict)
export const BusinessType = Type.Enum(BUSINESS_TYPES)
export const SellingPlan = Type.Enum(SELLING_PLANS)

export const Participation = Type.Object(
  {
    marketplaceId: MarketplaceId,
    storeName: Name,
    isParticipating: Type.Boolean(),
    hasSuspendedListings: Type.Boolean(),
  },
  strict,
)
export type Participation = Static<typeof Participation>

export const Seller = Type.Object(
  {
    sellerId: SellerId,
    businessType: BusinessType,
    sellingPlan: SellingPlan,
    accountStatus: Type.Optional(Type.Enum(ACCOUNT_STATUSES, { description: 'Account status. Default: NORMAL' })),
    business: Type.Optional(Business),
    primaryContact: Type.Optional(PrimaryContact),
    participations: Type.Array(Participation, { maxItems: 50 }),
  },
  strict,
)
export type Seller = Static<typeof Seller>

const db = queryBuilder<AccountTables>()

/** Replaces sellers with all of their participations. */
export async function upsertSellers(tx: Transaction, sellers: readonly Seller[]): Promise<void> {
  if (sellers.length === 0) return
  await upsertMany(tx, 'sellers', ['seller_id'], sellers.map(toRow))
  const sellerIds = sellers.map((seller) => seller.sellerId)
  await tx.run(db.deleteFrom('participations').where('seller_id', 'in', sellerIds))
  await upsertMany(tx, 'participations', ['seller_id', 'marketplace_id'], sellers.flatMap(toParticipationRows))
}

export async function findSeller(reader: Reader, sellerId: string): Promise<Seller | undefined> {
  const row = await reader.first(db.selectFrom('sellers').selectAll().where('seller_id', '=', sellerId))
  return row && (await withParticipations(reader, [row]))[0]
}

/** Lists sellers, or those with a text in their id, their business or the name of a store, in any case. */
export async function listSellers(
  reader: Reader,
  { search, after, limit }: PageRequest & { search?: string | undefined },
): Promise<Seller[]> {
  let query = db.selectFrom('sellers').selectAll().orderBy('seller_id').limit(limit)
  if (search !== undefined) query = query.where(hasText(search))
  if (after) query = query.where('seller_id', '>', after[0] as string)
  return withParticipations(reader, await reader.all(query))
}

export async function findAccountStatuses(reader: Reader, sellerIds: readonly string[]) {
  if (sellerIds.length === 0) return []
  const query = db
    .selectFrom('sellers')
    .select(['seller_id', 'account_status'])
    .where('seller_id', 'in', [...sellerIds])
  return (await reader.all(query)).map((row) => ({
    sellerId: row.seller_id,
    accountStatus: row.account_status as NonNullable<Seller['accountStatus']>,
  }))
}

const existing = prepare((params: { sellerIds: string }, dialect) =>
  db
    .selectFrom('sellers')
    .select('seller_id')
    .where(isInJson('seller_id', params.sellerIds, dialect)),
)

/** Returns the ids that do not exist. */
export async function unknownSellers(reader: Reader, sellerIds: readonly string[]): Promise<Set<string>> {
  const missing = new Set(sellerIds)
  if (missing.size === 0) return missing
  const known = await reader.all(existing, { sellerIds: JSON.stringify([...missing]) })
  for (const row of known) missing.delete(row.seller_id)
  return missing
}

/** A condition for queries of other owners: `column` contains the id of an existing seller. */
export const isKnownSeller = (column: string): RawBuilder<SqlBool> =>
  sql`exists (select 1 from sellers where sellers.seller_id = ${sql.ref(column)})`

function hasText(text: string): RawBuilder<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const contains = (column: string) => sql`lower(${sql.ref(column)}) like lower(${pattern}) escape '\\'`
  return sql`(${contains('sellers.seller_id')} or ${contains('sellers.business')} or exists (
    select 1 from participations where participations.seller_id = sellers.seller_id and ${contains('store_name')}))`
}

const toRow = (seller: Seller): AccountTables['sellers'] => ({
  seller_id: seller.sellerId,
  business_type: seller.businessType,
  selling_plan: seller.sellingPlan,
  business: seller.business ? JSON.stringify(seller.business) : null,
  primary_contact: seller.primaryContact ? JSON.stringify(seller.primaryContact) : null,
  account_status: seller.accountStatus ?? 'NORMAL',
})

const toParticipationRows = (seller: Seller): AccountTables['participations'][] =>
  seller.participations.map((participation) => ({
    seller_id: seller.sellerId,
    marketplace_id: participation.marketplaceId,
    store_name: participation.storeName,
    is_participating: Number(participation.isParticipating),
    has_suspended_listings: Number(participation.hasSuspendedListings),
  }))

async function withParticipations(reader: Reader, rows: AccountTables['sellers'][]): Promise<Seller[]> {
  if (rows.length === 0) return []
  const sellerIds = rows.map((row) => row.seller_id)
  const participations = await reader.all(
    db.selectFrom('participations').selectAll().where('seller_id', 'in', sellerIds).orderBy('marketplace_id'),
  )
  const bySeller = Map.groupBy(participations, (row) => row.seller_id)
  return rows.map((row) => ({
    sellerId: row.seller_id,
    businessType: row.business_type as Seller['businessType'],
    sellingPlan: row.selling_plan as Seller['sellingPlan'],
    accountStatus: row.account_status as NonNullable<Seller['accountStatus']>,
    ...(row.business && { business: JSON.parse(row.business) }),
    ...(row.primary_contact && { primaryContact: JSON.parse(row.primary_contact) }),
    participations: (bySeller.get(row.seller_id) ?? []).map((participation) => ({
      marketplaceId: participation.marketplace_id,
      storeName: participation.store_name,
      isParticipating: participation.is_participating === 1,
      hasSuspendedListings: participation.has_suspended_listings === 1,
    })),
  }))
}
