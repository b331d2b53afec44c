import { skuOf } from './seed-listings.ts'

const value = (...values: unknown[]) => values.map((one) => ({ value: one }))

/**
 * A document that updates existing listings, or creates those from `first` on. Each message contains a complete listing, as
 * in sellers' nightly feeds.
 */
export function writeFeedDocument(sellerId: string, messages: number, round: number, first = 0): string {
  const header = { sellerId, version: '2.0', issueLocale: 'en_US' }
  const all = Array.from({ length: messages }, (_, index) => ({
    messageId: index + 1,
    sku: skuOf(first + index),
    operationType: 'UPDATE',
    productType: 'SHOES',
    requirements: 'LISTING',
    attributes: attributesOf(index, round),
  }))
  return JSON.stringify({ header, messages: all })
}

/** Every round changes price and quantity, because writing the stored values is less work. */
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
  fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: String(1 + ((index + round) % 97)) }],
  purchasable_offer: [
    {
      currency: 'USD',
      our_price: [{ schedule: [{ value_with_tax: (10 + ((index + round * 7) % 8999) / 100).toFixed(2) }] }],
    },
  ],
})
