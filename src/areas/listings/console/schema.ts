import { type Static, Type } from 'typebox'
import { DateTime, MarketplaceId, Nullable, Sku } from '../../../marketplace/schema.ts'
import { MAX_CHANGES } from '../domain/history.ts'
import { Money } from '../schema.ts'

export const HistoryParams = Type.Object({ sku: Sku })
export const HistoryQuery = Type.Object({ marketplaceId: MarketplaceId })

export const ListingHistory = Type.Object({
  sku: Type.String(),
  marketplaceId: Type.String(),
  entries: Type.Array(
    Type.Object({
      from: Type.String({
        ...DateTime,
        description: 'The values are those from this time until the next entry, or now',
      }),
      price: Nullable(Money),
      quantity: Nullable(Type.Integer({ description: 'Null if the marketplace has the stock, or if it is not set' })),
    }),
    { maxItems: MAX_CHANGES + 1, description: 'Oldest first. The last one has the current values.' },
  ),
  until: Type.String({ ...DateTime, description: 'The time of the marketplace at which the last entry applies' }),
  isComplete: Type.Boolean({
    description: 'Whether the entries begin with the listing. Otherwise it is older than 90 days, or has more changes.',
  }),
})
export type ListingHistory = Static<typeof ListingHistory>
