import Sqlite from 'better-sqlite3'
import { demo } from '../../src/dev/demo/index.ts'

const PRODUCTS_IN_TRANSACTION = 1_000
export const OFFERS_OF_PRODUCT = 20

export const asinOf = (index: number) => `B2${String(index).padStart(8, '0')}`

/** Stores products like the first of the demo, with twenty competitors' offers each. */
export function seedOffers(file: string, offers: number): void {
  const sqlite = new Sqlite(file)
  try {
    sqlite.pragma('journal_mode = wal')
    // An interrupted bench starts over, so nothing has to survive a crash here.
    sqlite.pragma('synchronous = off')
    const { marketplaceId } = demo
    const [example] = demo.asins
    const addCopyOf = (table: string) => {
      const row = sqlite
        .prepare(`select * from ${table} where marketplace_id = ? and asin = ?`)
        .get(marketplaceId, example)
      const names = Object.keys(row as object)
      const values = names.map((name) => `@${name}`).join(', ')
      const insert = sqlite.prepare(`insert into ${table} (${names.join(', ')}) values (${values})`)
      return (changes: object) => insert.run({ ...(row as object), ...changes })
    }
    const addProduct = addCopyOf('catalog_items')
    const addOffer = addCopyOf('offers')
    const addAll = sqlite.transaction((start: number, end: number) => {
      for (let index = start; index < end; index++) {
        const asin = asinOf(index)
        addProduct({ asin })
        for (let competitor = 0; competitor < OFFERS_OF_PRODUCT; competitor++)
          addOffer({ asin, ...offerOf(index, competitor) })
      }
    })
    const products = offers / OFFERS_OF_PRODUCT
    for (let start = 0; start < products; start += PRODUCTS_IN_TRANSACTION) {
      addAll(start, Math.min(products, start + PRODUCTS_IN_TRANSACTION))
    }
    sqlite.pragma('wal_checkpoint(truncate)')
  } finally {
    sqlite.close()
  }
}

const offerOf = (index: number, competitor: number) => ({
  seller_id: `ABENCHRIVAL${String(competitor).padStart(3, '0')}`,
  sku: '-',
  condition_type: 'new_new',
  fulfillment_type: competitor % 2 === 0 ? 'AFN' : 'MFN',
  price_minor: 1_000 + ((index * 37 + competitor * 101) % 9_000),
  shipping_minor: competitor % 2 === 0 ? 0 : 499,
  quantity: 1 + competitor,
  terms: JSON.stringify({
    prime: competitor % 2 === 0 ? 'NATIONAL' : 'NONE',
    sellerFeedbackRating: { percentPositive: 85 + (competitor % 15), count: 100 + competitor },
  }),
  from_listing: 0,
})
