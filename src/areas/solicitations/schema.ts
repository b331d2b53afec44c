import { type Static, Type } from 'typebox'
import { AnyMarketplaceId, QueryList } from '../../marketplace/schema.ts'

export const OrderParams = Type.Object({
  amazonOrderId: Type.String({ description: 'Order id' }),
})

const oneMarketplace = QueryList(AnyMarketplaceId, { minItems: 1, maxItems: 1 })
export const MarketplaceQuery = Type.Object({ marketplaceIds: oneMarketplace })
export const OptionalMarketplaceQuery = Type.Object({ marketplaceIds: Type.Optional(oneMarketplace) })

/** Clients send no body, an empty object or unknown keys. */
export const IgnoredBody = Type.Optional(Type.Unknown({ description: 'Ignored' }))

const Link = Type.Object({ href: Type.String() })
const NamedLink = Type.Object({ href: Type.String(), name: Type.String() })

const ActionSchemaFields = {
  type: Type.Literal('object'),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  disabled: Type.Boolean(),
  disabledReason: Type.Union([Type.String(), Type.Null()]),
  properties: Type.Object({}),
  required: Type.Array(Type.String()),
  $schema: Type.String(),
  'x-ui-hidden': Type.Boolean(),
}

/** The fields are at the top level, as in the specification, and under `payload`, as in the model. */
export const ActionSchema = Type.Object({
  _links: Type.Object({ self: NamedLink }),
  ...ActionSchemaFields,
  payload: Type.Object(ActionSchemaFields),
})
export type ActionSchema = Static<typeof ActionSchema>

export const Action = Type.Object({
  name: Type.String(),
  title: Type.String(),
  payload: Type.Object({ name: Type.String() }),
  _links: Type.Object({ self: NamedLink, schema: NamedLink }),
  _embedded: Type.Object({ schema: ActionSchema }),
})
export type Action = Static<typeof Action>

export const SolicitationActions = Type.Object({
  _links: Type.Object({ self: Link, actions: Type.Array(NamedLink) }),
  _embedded: Type.Object({ actions: Type.Array(Action) }),
})
export type SolicitationActions = Static<typeof SolicitationActions>

export const Empty = Type.Object({})

export const ConsoleReviewRequest = Type.Object({
  orderId: Type.String(),
  requested: Type.Boolean({
    description: 'Whether a request was sent from the console. Requests through the API do not count.',
  }),
  window: Type.Optional(
    Type.Object(
      { opensAt: Type.String({ format: 'date-time' }), closesAt: Type.String({ format: 'date-time' }) },
      { description: 'When a request can be sent. Absent until the order is delivered' },
    ),
  ),
  optedOut: Type.Optional(Type.Boolean({ description: 'Whether the buyer has opted out of review requests' })),
})
export type ConsoleReviewRequest = Static<typeof ConsoleReviewRequest>
