import { type Static, Type } from 'typebox'
import { DateTime, MarketplaceId, Name, SellerId, strict } from '../../marketplace/schema.ts'
import { MAX_PASSWORD_LENGTH } from '../../platform/auth/password.ts'

export const MAX_SELLERS = 100

export const ConsoleSession = Type.Object({
  mode: Type.Enum(['dev', 'serve']),
  role: Type.Enum(['developer', 'operator', 'seller'], {
    description:
      '`developer`: the user of `souk dev`, who does not sign in and acts for any seller and as the operator',
  }),
  accountName: Type.Optional(
    Type.String({ description: 'Absent for a developer, and for an operator who used the key' }),
  ),
  sellerId: Type.Optional(Type.String({ description: "Of a seller's session" })),
  sellers: Type.Array(Type.Object({ sellerId: SellerId, name: Name, marketplaceIds: Type.Array(MarketplaceId) }), {
    maxItems: MAX_SELLERS + 1,
    description:
      `The sellers for whom the session may act: the first ${MAX_SELLERS} for a developer, and the one of the header \`x-souk-seller\`; ` +
      'none for an operator',
  }),
  csrfToken: Type.Optional(
    Type.String({ description: 'The value of the header `x-souk-console`. Absent for a developer, who sends `1`' }),
  ),
  hasControlPlane: Type.Boolean({ description: 'Whether there are operations under `/_souk/`' }),
  version: Type.String(),
  now: DateTime,
})
export type ConsoleSession = Static<typeof ConsoleSession>

export const SignInBody = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    password: Type.Optional(Type.String({ minLength: 1, maxLength: MAX_PASSWORD_LENGTH })),
    operatorKey: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
  },
  { ...strict, description: 'Either `name` and `password`, or `operatorKey`' },
)
export type SignInBody = Static<typeof SignInBody>
