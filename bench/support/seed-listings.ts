import Sqlite from 'better-sqlite3'
import { demo } from '../../src/dev/demo/index.ts'

const ROWS_IN_TRANSACTION = 20_000

export const skuOf = (index: number) => `BENCH-${String(index).padStart(7, '0')}`

/** Stores listings of the demo seller, each like one of the demo's own, and the offer that goes with it. */
export function seedListings(file: string, count: number): void {
  const sqlite = new Sqlite(file)
  try {
    sqlite.pragma('journal_mode = wal')
    // An interrupted bench starts over, so nothing has to survive a crash here.
    sqlite.pragma('synchronous = off')
    const [example] = demo.skus
    const columns = sqlite.prepare('select name from pragma_table_info(?)').pluck()
    const copied = (table: string, replaced: string[]) =>
      (columns.all(table) as string[]).filter((name) => !replaced.includes(name)).join(', ')
    const kept = copied('listings', ['sku', 'asin', 'updated_at', 'created_at'])
    const addListing = sqlite.prepare(`
      insert into listings (sku, asin, created_at, updated_at, ${kept})
      select @sku, @asin, @time, @time, ${kept} from listings
      where seller_id = @sellerId and sku = @example and marketplace_id = @marketplaceId`)
    const { sellerId, marketplaceId } = demo
    const offer = sqlite
      .prepare('select * from offers where marketplace_id = ? and asin = ? and seller_id = ? and sku = ?')
      .get(marketplaceId, demo.asins[0], sellerId, example) as Record<string, unknown>
    const names = Object.keys(offer)
    const addOffer = sqlite.prepare(
      `insert into offers (${names.join(', ')}) values (${names.map((name) => `@${name}`).join(', ')})`,
    )
    const addAll = sqlite.transaction((start: number, end: number) => {
      for (let index = start; index < end; index++) {
        const asin = `B1${String(index).padStart(8, '0')}`
        const time = new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString()
        const sku = skuOf(index)
        addListing.run({ sku, asin, time, sellerId, example, marketplaceId })
        addOffer.run({ ...offer, sku, asin })
      }
    })
    for (let start = 0; start < count; start += ROWS_IN_TRANSACTION) {
      addAll(start, Math.min(count, start + ROWS_IN_TRANSACTION))
    }
    sqlite.pragma('wal_checkpoint(truncate)')
  } finally {
    sqlite.close()
  }
}
