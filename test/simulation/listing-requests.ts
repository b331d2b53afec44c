import type { ReadListing } from './listing-model.ts'
import { type ListingChange, titleOf } from './steps.ts'

export function toAttributes(change: Extract<ListingChange, { change: 'put' }>, step: number) {
  return {
    item_name: [{ value: titleOf(step) }],
    brand: [{ value: 'Oasis' }],
    bullet_point: [{ value: 'Suede' }],
    product_description: [{ value: 'A boot for dry days.' }],
    country_of_origin: [{ value: 'PT' }],
    main_product_image_locator: [{ media_location: 'https://images.example/desert-boot.jpg' }],
    condition_type: [{ value: 'new_new' }],
    purchasable_offer: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: change.price }] }] }],
    fulfillment_availability: [{ fulfillment_channel_code: 'DEFAULT', quantity: change.quantity }],
  }
}

export function toPatches(change: Extract<ListingChange, { change: 'setPrice' | 'setQuantity' }>) {
  return change.change === 'setPrice'
    ? [
        {
          op: 'replace',
          path: '/attributes/purchasable_offer',
          value: [{ currency: 'USD', our_price: [{ schedule: [{ value_with_tax: change.price }] }] }],
        },
      ]
    : [
        {
          op: 'replace',
          path: '/attributes/fulfillment_availability',
          value: [{ fulfillment_channel_code: 'DEFAULT', quantity: change.quantity }],
        },
      ]
}

export function toRequest(change: ListingChange, step: number) {
  if (change.change === 'delete') return { method: 'DELETE', body: undefined } as const
  if (change.change === 'put') {
    return { method: 'PUT', body: { productType: 'SHOES', attributes: toAttributes(change, step) } } as const
  }
  return { method: 'PATCH', body: { productType: 'SHOES', patches: toPatches(change) } } as const
}

export function parseListing(item: {
  attributes?: {
    item_name?: { value: string }[]
    purchasable_offer?: { our_price: { schedule: { value_with_tax: number }[] }[] }[]
    fulfillment_availability?: { quantity?: number }[]
  }
  fulfillmentAvailability?: { quantity?: number }[]
}): { seen: ReadListing; available: number | undefined } {
  const { item_name, purchasable_offer, fulfillment_availability } = item.attributes ?? {}
  return {
    seen: {
      title: item_name?.[0]?.value,
      price: purchasable_offer?.[0]?.our_price[0]?.schedule[0]?.value_with_tax,
      quantity: fulfillment_availability?.[0]?.quantity,
    },
    available: item.fulfillmentAvailability?.[0]?.quantity,
  }
}
