import type { AccountTables } from '../../marketplace/accounts/tables.ts'
import type { Reader } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import type { MarketplaceParticipation } from './schema.ts'

const db = queryBuilder<AccountTables>()

const findParticipations = prepare((params: { sellerId: string }) =>
  db
    .selectFrom('participations')
    .innerJoin('marketplaces', 'marketplaces.marketplace_id', 'participations.marketplace_id')
    .selectAll()
    .where('seller_id', '=', params.sellerId)
    .orderBy('marketplaces.marketplace_id'),
)

export async function loadParticipations(reader: Reader, sellerId: string): Promise<MarketplaceParticipation[]> {
  const rows = await reader.all(findParticipations, { sellerId })
  return rows.map((row) => ({
    marketplace: {
      id: row.marketplace_id,
      countryCode: row.country_code,
      name: row.name,
      defaultCurrencyCode: row.currency_code,
      defaultLanguageCode: row.language_code,
      domainName: row.domain_name,
    },
    storeName: row.store_name,
    participation: {
      isParticipating: row.is_participating === 1,
      hasSuspendedListings: row.has_suspended_listings === 1,
    },
  }))
}
