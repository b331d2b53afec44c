import { type Static, Type } from 'typebox'
import { AnyMarketplaceId, QueryList } from '../../marketplace/schema.ts'

export const UploadParams = Type.Object({
  resource: Type.String({ description: 'Path of the operation that uses the upload, with its slashes or encoded' }),
})

export const UploadQuery = Type.Object({
  marketplaceIds: QueryList(AnyMarketplaceId, { minItems: 1, maxItems: 1 }),
  contentMD5: Type.String({ minLength: 1, maxLength: 100, description: 'MD5 of the content, in hex or Base64' }),
  contentType: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      // Sent in a signed header.
      pattern: '^[\\x20-\\x7e]+$',
      description: 'Content type of the upload. Required for A+ content',
    }),
  ),
})
export type UploadQuery = Static<typeof UploadQuery>

export const UploadDestination = Type.Object({
  uploadDestinationId: Type.String(),
  url: Type.String({ description: 'Upload with PUT. Valid for 300 seconds' }),
  headers: Type.Object(
    { 'Content-MD5': Type.String(), 'Content-Type': Type.Optional(Type.String()) },
    { description: 'Headers that the upload must have' },
  ),
})
export type UploadDestination = Static<typeof UploadDestination>

export const UploadResponse = Type.Object({ payload: UploadDestination })
