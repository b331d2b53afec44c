import { isDeepStrictEqual } from 'node:util'
import { isNewSale } from '../../marketplace/trade/order-states.ts'
import { findTaken, piecesTakenBy } from '../../marketplace/trade/order-stock.ts'
import { type Order, orderKey } from '../../marketplace/trade/orders.ts'
import type { Reader } from '../../platform/database/port.ts'
import type { Stock } from './export-listings.ts'
import { listingKey } from './products.ts'
import { withoutDefaults, withoutNulls } from './shorten.ts'

const ITEM_DEFAULTS = { taxMinor: 0, shippingPriceMinor: 0 }

/** Renders a page of orders, with the pieces that they would give back. */
export async function exportOrders(
  reader: Reader,
  page: readonly Order[],
  stocks: ReadonlyMap<string, Stock>,
): Promise<object[]> {
  const taken = await findTaken(reader, page)
  return page.map((order) => {
    const { takesStock, items, ...rest } = order
    const stockOf = (sku: string) => stocks.get(listingKey({ ...order, sku }))
    // A listing that was deleted, or created again since, gets nothing back.
    const own = (taken.get(orderKey(order)) ?? [])
      .filter(({ sku, stockId }) => stockOf(sku)?.stockId === stockId)
      .map(({ sku, pieces }) => ({ sku, pieces }))
    const defaults = {
      shipTo: {},
      buyerAcceptsRequests: true,
      shipServiceLevel: 'Standard',
      paymentMethod: 'Other',
    }
    return {
      ...withoutDefaults(withoutNulls(rest), defaults),
      ...(takesStock !== isNewSale(order.status) && { takesStock }),
      items: items.map((item) => withoutDefaults(withoutNulls(item), ITEM_DEFAULTS)),
      ...(!isDeepStrictEqual(bySku(own), takenByDefault(order, stockOf)) && { stockTaken: own }),
    }
  })
}

const bySku = (taken: readonly { sku: string; pieces: number }[]) =>
  [...taken].sort((one, other) => (one.sku < other.sku ? -1 : 1))

/** What an import assumes. Undefined if it would refuse the order, because a listing does not exist. */
function takenByDefault(order: Order, stockOf: (sku: string) => Stock | undefined) {
  const wanted = [...piecesTakenBy(order)].map(([sku, pieces]) => ({ sku, pieces }))
  if (wanted.some(({ sku }) => !stockOf(sku)?.isKnown)) return undefined
  return bySku(wanted.filter(({ sku, pieces }) => pieces > 0 && stockOf(sku)?.countsStock))
}
