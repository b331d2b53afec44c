import { type Static, Type } from 'typebox'
import { Application, RedirectUri } from '../../marketplace/accounts/applications.ts'
import { ApplicationId, strict } from '../../marketplace/schema.ts'

const redirectUri = Type.Optional(
  Type.String({
    maxLength: 2000,
    description: 'One of the addresses that are registered for the application. Default: the first',
  }),
)

export const ConsentQuery = Type.Object({ application_id: ApplicationId, redirect_uri: redirectUri })
export type ConsentQuery = Static<typeof ConsentQuery>

export const Consent = Type.Object({
  applicationId: ApplicationId,
  name: Application.properties.name,
  roles: Type.Array(Type.String(), { description: 'What decides which personal data of buyers it sees' }),
  redirectUri: RedirectUri,
  isAuthorized: Type.Boolean({ description: 'Whether the seller has authorized it before' }),
})
export type Consent = Static<typeof Consent>

export const ConsentBody = Type.Object(
  {
    applicationId: ApplicationId,
    redirectUri,
    state: Type.String({ maxLength: 2000, description: 'Of the application, which receives it again' }),
  },
  strict,
)
export type ConsentBody = Static<typeof ConsentBody>

export const ConsentResult = Type.Object({
  redirectTo: Type.String({
    description:
      'The address to go to: that of the application, with `state`, `selling_partner_id` and `spapi_oauth_code`',
  }),
})
export type ConsentResult = Static<typeof ConsentResult>
