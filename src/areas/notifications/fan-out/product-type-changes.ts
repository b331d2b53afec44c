import { listSellerMarketplaces } from '../../../marketplace/accounts/participation.ts'
import type { Expander } from '../../../platform/outbox/expander.ts'
import { listSubscribedSellers } from '../subscriptions/subscription-store.ts'

const TYPE = 'PRODUCT_TYPE_DEFINITIONS_CHANGE'

/** Notifies each subscribed seller of changed product types, once per marketplace. */
export const productTypeChanges: Expander = {
  produces: [TYPE],
  // Each event has other new types, so none replaces another.
  subjectOf: ({ payload, occurredAt }) => `${occurredAt.toISOString()} ${payload.version}`,
  async begin() {
    return { context: {} }
  },
  async page(reader, { payload }, _context, { after, limit }) {
    const sellerIds = await listSubscribedSellers(reader, TYPE, { after, limit })
    const marketplaces = await listSellerMarketplaces(reader, sellerIds)
    const last = sellerIds.at(-1)
    return {
      notifications: marketplaces.map(({ sellerId, marketplaceId }) => ({
        key: marketplaceId,
        sellerId,
        type: TYPE,
        payload: {
          AccountId: sellerId,
          MarketplaceId: marketplaceId,
          ProductTypeVersion: payload.version,
          NewProductTypes: payload.newProductTypes,
        },
      })),
      ...(last !== undefined && sellerIds.length === limit && { next: last }),
    }
  },
}
