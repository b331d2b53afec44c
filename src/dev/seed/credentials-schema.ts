import { Type } from 'typebox'

/** Of an application, as far as they are known. */
export const Credentials = Type.Object({
  applicationId: Type.String(),
  clientId: Type.String(),
  clientSecret: Type.Optional(Type.String({ description: 'Absent if only its digest is known' })),
  authorizations: Type.Array(Type.Object({ sellerId: Type.String(), refreshToken: Type.Optional(Type.String()) })),
})
