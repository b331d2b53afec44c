export interface UploadDestination {
  sellerId: string
  uploadDestinationId: string
  applicationId: string
  marketplaceId: string
  resource: string
  contentType?: string
  /** Base64 */
  contentMd5: string
  createdAt: Date
}

/** Unused uploads expire like unused feed documents. */
export const UPLOAD_DAYS = 2

/** Key of an upload in the document store. */
export const uploadKey = (uploadDestinationId: string) => `uploads/${uploadDestinationId}`

/** What follows it is the path of the operation that takes the upload. */
export const UPLOADS_PATH = '/uploads/2020-11-01/uploadDestinations/'
export const A_PLUS = 'aplus/2020-11-01/contentDocuments'
const MESSAGE = /^messaging\/v1\/orders\/[^/]{1,100}\/messages\/[A-Za-z]{1,100}$/

/** Returns the path of an operation that takes uploads, without its leading slash; undefined for any other text. */
export function parseResource(text: string): string | undefined {
  const resource = text.replace(/^\//, '')
  return resource === A_PLUS || MESSAGE.test(resource) ? resource : undefined
}

/** The one operation for which the content type is not optional. */
export const requiresContentType = (resource: string) => resource === A_PLUS

const HEX = /^[0-9a-fA-F]{32}$/
const BASE64 = /^[A-Za-z0-9+/]{21}[AQgw]==$/

/** Clients send the 16 bytes in hex, as the public example has them, or in Base64, as the header needs them. */
export function parseMd5(text: string): string | undefined {
  if (HEX.test(text)) return Buffer.from(text, 'hex').toString('base64')
  return BASE64.test(text) ? text : undefined
}
