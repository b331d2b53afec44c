import { findMarketplaces } from '../../../marketplace/accounts/marketplaces.ts'
import type { MoveStock, StockMovement, StockShortage } from '../../../marketplace/trade/order-stock.ts'
import type { Transaction } from '../../../platform/database/port.ts'
import type { Listing } from '../domain/listing.ts'
import { fulfillmentTypeOf } from '../domain/sale-terms.ts'
import { findListingsToChange } from '../store/listing-store.ts'
import { lockRelations } from '../store/relation-store.ts'
import { Batch } from './batch.ts'
import type { ListingWriter } from './writer.ts'

/** Moves the stock of listings when orders are placed and canceled, and when there is new stock. */
export const createStock =
  ({ writer }: { writer: ListingWriter }): MoveStock =>
  async (tx, movements) => {
    const batch = new Batch(await loadListings(tx, movements))
    const named = [...new Set(movements.map(({ marketplaceId }) => marketplaceId))]
    const currencies = new Map(
      (await findMarketplaces(tx, named)).map(({ marketplaceId, currencyCode }) => [marketplaceId, currencyCode]),
    )
    const shortages: StockShortage[] = []
    const stockIds: (string | undefined)[] = movements.map(() => undefined)
    for (const [index, movement] of movements.entries()) {
      const { pieces } = movement
      const listing = batch.find(movement)
      const isKnown = listing !== undefined && listing.state !== 'UNKNOWN'
      if (!isKnown && pieces >= 0) shortages.push({ index, left: undefined })
      if (!isKnown || !hasOwnStock(listing) || pieces === 0) continue
      if (movement.stockId !== undefined && movement.stockId !== stockIdOf(listing)) continue
      // A listing without a quantity has none to sell, and stays without one when something comes back.
      const { quantity = 0 } = listing
      if (pieces > quantity) shortages.push({ index, left: quantity })
      if (pieces > quantity || listing.quantity === undefined) continue
      writer.setQuantity(batch, listing, quantity - pieces, currencies.get(movement.marketplaceId) ?? '')
      if (pieces > 0) stockIds[index] = stockIdOf(listing)
    }
    if (shortages.length === 0) await writer.flush(tx, batch)
    return { stockIds, shortages }
  }

/** A listing that is deleted and created again has another stock. */
const stockIdOf = ({ createdAt }: Listing) => createdAt

/** The marketplace counts the stock that it holds itself. */
const hasOwnStock = (listing: Listing) => fulfillmentTypeOf(listing) === 'MFN'

async function loadListings(tx: Transaction, movements: readonly StockMovement[]): Promise<Listing[]> {
  const listings: Listing[] = []
  await lockRelations(tx, movements, 'shared')
  // Almost always one seller and one marketplace. In the order in which every transaction locks listings.
  const groups = Map.groupBy(movements, ({ sellerId, marketplaceId }) => `${sellerId} ${marketplaceId}`)
  for (const [, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [{ sellerId, marketplaceId }] = group as [StockMovement]
    const skus = [...new Set(group.map(({ sku }) => sku))]
    listings.push(...(await findListingsToChange(tx, sellerId, skus, [marketplaceId])))
  }
  return listings
}
