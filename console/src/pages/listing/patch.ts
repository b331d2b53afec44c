import { bodyOf, service } from '../../api/client.ts'
import type { Selling } from '../../ui/for-seller.tsx'
import type { Listing } from './listing.ts'

export interface Terms {
  price: number | undefined
  quantity: number | undefined
}

/** What the seller ships has this channel. The marketplace counts the stock of the others. */
const OWN_STOCK = 'DEFAULT'

/** The price and the quantity that the seller set. */
export function termsOf({ offers, fulfillmentAvailability = [] }: Listing): Terms {
  const consumerOffer = offers?.find(({ offerType }) => offerType === 'B2C')
  return {
    price: consumerOffer && Number(consumerOffer.price.amount),
    quantity: fulfillmentAvailability.find(({ fulfillmentChannelCode }) => fulfillmentChannelCode === OWN_STOCK)
      ?.quantity,
  }
}

/** Whether the seller holds the stock, or will when the listing gets its first quantity. */
export const hasOwnStock = ({ fulfillmentAvailability = [] }: Listing): boolean =>
  fulfillmentAvailability.every(({ fulfillmentChannelCode }) => fulfillmentChannelCode === OWN_STOCK)

export type PatchBody = ReturnType<typeof patchOf>

/** Merges what changed into the attributes, so that everything else of them stays. */
export function patchOf(before: Terms, after: Terms, currency: string, marketplaceId: string) {
  const patches = []
  if (after.price !== undefined && after.price !== before.price) {
    const our_price = [{ schedule: [{ value_with_tax: after.price }] }]
    const value = [{ marketplace_id: marketplaceId, currency, audience: 'ALL', our_price }]
    patches.push({ op: 'merge' as const, path: '/attributes/purchasable_offer', value })
  }
  if (after.quantity !== undefined && after.quantity !== before.quantity) {
    const value = [{ marketplace_id: marketplaceId, fulfillment_channel_code: OWN_STOCK, quantity: after.quantity }]
    patches.push({ op: 'merge' as const, path: '/attributes/fulfillment_availability', value })
  }
  // PRODUCT stands for the type that the listing has.
  return { productType: 'PRODUCT', patches }
}

export const sendPatch = (
  { sellerId, marketplaceId }: Selling,
  sku: string,
  body: PatchBody,
  mode: 'VALIDATION_PREVIEW' | undefined,
) =>
  bodyOf(
    service.PATCH('/listings/2021-08-01/items/{sellerId}/{sku}', {
      params: {
        path: { sellerId, sku },
        query: { marketplaceIds: [marketplaceId], includedData: ['issues'], mode },
      },
      body,
    }),
  )
