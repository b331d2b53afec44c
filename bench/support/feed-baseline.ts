// Run as a child process with a data file, a seller and a marketplace: receives a document's file, and does the least that
// a feed must do: parses it and upserts every listing, all in one transaction. Sends the duration.
import { readFileSync } from 'node:fs'
import Sqlite from 'better-sqlite3'

export interface FeedQuestion {
  document: string
}
export interface FeedAnswer {
  messages: number
  milliseconds: number
}

interface Terms {
  purchasable_offer: { our_price: { schedule: { value_with_tax: string }[] }[] }[]
  fulfillment_availability: { quantity: string }[]
}
interface Message {
  sku: string
  productType: string
  attributes?: Record<string, unknown> & Terms
  patches?: { path: string; value: unknown }[]
}

const [file, sellerId, marketplaceId] = process.argv.slice(2) as [string, string, string]
const sqlite = new Sqlite(file)
sqlite.pragma('journal_mode = wal')
sqlite.pragma('synchronous = full')
const columns = sqlite.prepare("select name from pragma_table_info('listings')").pluck().all() as string[]
const prepareUpsert = (...changed: string[]) =>
  sqlite.prepare(`
    insert into listings (${columns.join(', ')}) values (${columns.map((name) => `@${name}`).join(', ')})
    on conflict (seller_id, sku, marketplace_id) do update set
      ${changed.map((name) => `${name} = excluded.${name}`).join(', ')}`)
const terms = ['price_minor', 'quantity', 'offer_attributes', 'updated_at']
const upsert = prepareUpsert('product_type', 'item_name', 'product_attributes', ...terms)
const upsertTerms = prepareUpsert(...terms)
const example = sqlite
  .prepare('select * from listings where seller_id = ? and marketplace_id = ? limit 1')
  .get(sellerId, marketplaceId) as Record<string, unknown>

process.once('disconnect', () => process.exit())
process.on('message', ({ document }: FeedQuestion) => {
  const startedAt = performance.now()
  const { messages } = JSON.parse(readFileSync(document, 'utf8')) as { messages: Message[] }
  sqlite.transaction(() => messages.forEach(write))()
  process.send?.({ messages: messages.length, milliseconds: performance.now() - startedAt } satisfies FeedAnswer)
})

function write({ sku, productType, attributes, patches }: Message): void {
  if (!attributes) {
    writeTerms(sku, patches ?? [])
    return
  }
  const { purchasable_offer, fulfillment_availability, condition_type, ...product } = attributes
  upsert.run({
    ...example,
    sku,
    product_type: productType,
    item_name: (product.item_name as { value: string }[])[0]?.value,
    product_attributes: JSON.stringify(product),
    ...toColumns({ purchasable_offer, fulfillment_availability, condition_type }),
  })
}

function writeTerms(sku: string, patches: readonly { path: string; value: unknown }[]): void {
  const attributes = patches.map(({ path, value }) => [path.slice(path.lastIndexOf('/') + 1), value])
  upsertTerms.run({ ...example, sku, ...toColumns(Object.fromEntries(attributes)) })
}

const toColumns = (attributes: Terms & Record<string, unknown>) => ({
  price_minor: Math.round(Number(attributes.purchasable_offer[0]?.our_price[0]?.schedule[0]?.value_with_tax) * 100),
  quantity: Number(attributes.fulfillment_availability[0]?.quantity),
  offer_attributes: JSON.stringify(attributes),
  updated_at: new Date().toISOString(),
})
