import { type Static, Type } from 'typebox'
import { QueryList } from '../../marketplace/schema.ts'

export const OrderParams = Type.Object({
  amazonOrderId: Type.String({ description: 'The order whose buyer is to be asked' }),
})

const oneMarketplace = QueryList(Type.String(), { minItems: 1, maxItems: 1 })
export const MarketplaceQuery = Type.Object({ marketplaceIds: oneMarketplace })
export const OptionalMarketplaceQuery = Type.Object({ marketplaceIds: Type.Optional(oneMarketplace) })

/** Clients send nothing, an empty object, or keys of their own; none of it means anything here. */
export const IgnoredBody = Type.Unknown({ description: 'Empty. Whatever is sent is ignored.' })

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

/** The fields stand on the object itself, as the specification shows them, and under `payload`, as the model has them. */
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
    description: 'Whether the console shows a request as sent. One sent through the API does not show here.',
  }),
})
export type ConsoleReviewRequest = Static<typeof ConsoleReviewRequest>
