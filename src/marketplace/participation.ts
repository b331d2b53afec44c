import { denied } from '../platform/auth/caller.ts'
import type { Reader } from '../platform/database/port.ts'
import { queryBuilder } from '../platform/database/query.ts'
import { ApiError } from '../platform/errors/api-error.ts'
import { unknownMarketplaces } from './marketplaces.ts'
import type { MarketplaceTables } from './tables.ts'

const db = queryBuilder<MarketplaceTables>()

/** Throws unless the seller takes part in all these marketplaces: 400 for one that there is not, 403 for another's. */
export async function requireParticipation(
  reader: Reader,
  sellerId: string,
  marketplaceIds: readonly string[],
): Promise<void> {
  const rows = await reader.all(
    db
      .selectFrom('participations')
      .select('marketplace_id')
      .where('seller_id', '=', sellerId)
      .where('marketplace_id', 'in', marketplaceIds)
      .where('is_participating', '=', 1),
  )
  const own = new Set(rows.map((row) => row.marketplace_id))
  const foreign = marketplaceIds.filter((id) => !own.has(id))
  if (foreign.length === 0) return
  const [unknown] = await unknownMarketplaces(reader, foreign)
  if (unknown === undefined) throw denied(`The seller does not take part in the marketplace ${foreign[0]}.`)
  throw new ApiError(
    'InvalidInput',
    'The request has missing or invalid parameters: [marketplaceIds]',
    `There is no marketplace ${unknown}.`,
  )
}
