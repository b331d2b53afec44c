import { type RawBuilder, sql } from 'kysely'
import { type Static, Type } from 'typebox'
import { isInJson } from '../../platform/database/json-lists.ts'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { upsertMany } from '../../platform/database/upsert.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { CountryCode, CurrencyCode, Name, strict } from '../schema.ts'
import type { AccountTables } from './tables.ts'

export const Marketplace = Type.Object(
  {
    marketplaceId: Type.String({ pattern: '^[A-Z0-9]{1,20}$' }),
    name: Name,
    countryCode: CountryCode,
    currencyCode: CurrencyCode,
    languageCode: Type.String({ pattern: '^[a-z]{2}_[A-Z]{2}$', examples: ['de_DE'] }),
    domainName: Type.String({ minLength: 1, maxLength: 255 }),
  },
  strict,
)
export type Marketplace = Static<typeof Marketplace>

const db = queryBuilder<AccountTables>()

export async function upsertMarketplaces(tx: Transaction, marketplaces: readonly Marketplace[]): Promise<void> {
  await upsertMany(tx, 'marketplaces', ['marketplace_id'], marketplaces.map(toRow))
}

export async function findMarketplace(reader: Reader, marketplaceId: string): Promise<Marketplace | undefined> {
  const row = await reader.first(db.selectFrom('marketplaces').selectAll().where('marketplace_id', '=', marketplaceId))
  return row && fromMarketplaceRow(row)
}

const findSome = prepare(({ marketplaceIds }: { marketplaceIds: string }, dialect) =>
  db
    .selectFrom('marketplaces')
    .selectAll()
    .where(isInJson('marketplace_id', marketplaceIds, dialect))
    .orderBy('marketplace_id'),
)

/** Returns existing marketplaces, ordered by id. */
export async function findMarketplaces(reader: Reader, marketplaceIds: readonly string[]): Promise<Marketplace[]> {
  if (marketplaceIds.length === 0) return []
  const rows = await reader.all(findSome, { marketplaceIds: JSON.stringify(marketplaceIds) })
  return rows.map(fromMarketplaceRow)
}

export async function listMarketplaces(reader: Reader, page: PageRequest): Promise<Marketplace[]> {
  let query = db.selectFrom('marketplaces').selectAll().orderBy('marketplace_id').limit(page.limit)
  if (page.after) query = query.where('marketplace_id', '>', page.after[0] as string)
  return (await reader.all(query)).map(fromMarketplaceRow)
}

/** Returns the ids that do not exist. */
export async function unknownMarketplaces(reader: Reader, marketplaceIds: readonly string[]): Promise<Set<string>> {
  const missing = new Set(marketplaceIds)
  if (missing.size === 0) return missing
  const known = db
    .selectFrom('marketplaces')
    .select('marketplace_id')
    .where('marketplace_id', 'in', [...missing])
  for (const row of await reader.all(known)) missing.delete(row.marketplace_id)
  return missing
}

/** The name of the marketplace with the id in a column, as an expression for queries of other rooms. */
export const marketplaceName = (column: string): RawBuilder<string> =>
  sql<string>`(select name from marketplaces where marketplaces.marketplace_id = ${sql.ref(column)})`

const toRow = (marketplace: Marketplace): AccountTables['marketplaces'] => ({
  marketplace_id: marketplace.marketplaceId,
  name: marketplace.name,
  country_code: marketplace.countryCode,
  currency_code: marketplace.currencyCode,
  language_code: marketplace.languageCode,
  domain_name: marketplace.domainName,
})

export const fromMarketplaceRow = (row: AccountTables['marketplaces']): Marketplace => ({
  marketplaceId: row.marketplace_id,
  name: row.name,
  countryCode: row.country_code,
  currencyCode: row.currency_code,
  languageCode: row.language_code,
  domainName: row.domain_name,
})
