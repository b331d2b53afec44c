import { skuOf } from './seed-listings.ts'

const value = (...values: unknown[]) => values.map((one) => ({ value: one }))

type Message = { operationType: string } & Record<string, unknown>

/** A document with messages of the listings from `first` on. */
function writeDocument(
  sellerId: string,
  messages: number,
  messageOf: (index: number) => Message,
  first: number,
): string {
  const header = { sellerId, version: '2.0', issueLocale: 'en_US' }
  const all = Array.from({ length: messages }, (_, index) => ({
    messageId: index + 1,
    sku: skuOf(first + index),
    productType: 'SHOES',
    ...messageOf(index),
  }))
  return JSON.stringify({ header, messages: all })
}

/**
 * A document that updates existing listings, or creates those from `first` on. Each message contains a complete listing, as
 * in sellers' nightly feeds.
 */
export const writeFeedDocument = (sellerId: string, messages: number, round: number, first = 0): string =>
  writeDocument(
    sellerId,
    messages,
    (index) => ({ operationType: 'UPDATE', requirements: 'LISTING', attributes: attributesOf(index, round) }),
    first,
  )

/** A document that changes price and quantity of existing listings, as repricing software sends it. */
export const writePatchDocument = (sellerId: string, messages: number, round: number): string =>
  writeDocument(sellerId, messages, (index) => ({ operationType: 'PATCH', patches: patchesOf(index, round) }), 0)

function patchesOf(index: number, round: number) {
  const terms = termsOf(index, round)
  return Object.entries(terms).map(([name, value]) => ({ op: 'replace', path: `/attributes/${name}`, value }))
}

const attributesOf = (index: number, round: number) => ({
  item_name: value(`Trail running shoe, grey, number ${index}`),
  brand: value('Bazaar'),
  manufacturer: value('Bazaar Shoes'),
  bullet_point: value('Made to last', 'Sole of rubber'),
  product_description: value('A shoe for long walks on stony ground.'),
  country_of_origin: value('PT'),
  supplier_declared_dg_hz_regulation: value('not_applicable'),
  model_number: value(`BS-${index}`),
  target_gender: value('unisex'),
  department: value('unisex-adult'),
  shoe_type: value('sneaker'),
  style: value('sport'),
  color: [{ standardized_values: ['grey'], value: 'Granite' }],
  outer: [{ material: value('textile') }],
  main_product_image_locator: [{ media_location: `https://images.example/shoes/${index}.jpg` }],
  condition_type: value('new_new'),
  ...termsOf(index, round),
})

/** Every round changes price and quantity, because writing the stored values is less work. */
const termsOf = (index: number, round: number) => ({
  fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: String(1 + ((index + round) % 97)) }],
  purchasable_offer: [
    {
      currency: 'USD',
      our_price: [{ schedule: [{ value_with_tax: (10 + ((index + round * 7) % 8999) / 100).toFixed(2) }] }],
    },
  ],
})
