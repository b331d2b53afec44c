import { requireParticipation } from '../../marketplace/accounts/participation.ts'
import type { SellerCaller } from '../../platform/auth/caller.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { DocumentStore } from '../../platform/documents/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { withFields } from '../../platform/errors/explanation.ts'
import type { Ids } from '../../platform/ids/port.ts'
import type { UploadDestination, UploadQuery } from './schema.ts'
import { insertUploadDestination } from './store.ts'
import { A_PLUS, parseMd5, parseResource, requiresContentType, UPLOADS_PATH, uploadKey } from './upload.ts'

export interface UploadsDependencies {
  database: Database
  clock: Clock
  ids: Ids
  documents: DocumentStore
}

/** Of no bytes, as an example. */
const EXAMPLE_MD5 = 'd41d8cd98f00b204e9800998ecf8427e'

export type UploadOperations = ReturnType<typeof createUploadOperations>

export function createUploadOperations({ database, clock, ids, documents }: UploadsDependencies) {
  return {
    async createUploadDestinationForResource(
      { sellerId, applicationId }: SellerCaller,
      path: string,
      { marketplaceIds, contentMD5, contentType }: UploadQuery,
    ): Promise<UploadDestination> {
      const [marketplaceId] = marketplaceIds as [string]
      const resource = parseResource(path)
      if (resource === undefined) throw noSuchResource(path)
      const contentMd5 = parseMd5(contentMD5)
      if (contentMd5 === undefined) {
        throw invalidParameter(
          'contentMD5',
          'must be an MD5 hash in hex or Base64',
          withFields({ contentMD5: EXAMPLE_MD5 }),
        )
      }
      if (contentType === undefined && requiresContentType(resource)) {
        throw invalidParameter('contentType', 'is required for A+ content', withFields({ contentType: 'image/jpeg' }))
      }
      await database.read((reader) => requireParticipation(reader, sellerId, [marketplaceId]))
      const uploadDestinationId = ids.next('uploadDestination')
      const type = contentType === undefined ? {} : { contentType }
      const url = await documents.presignPut(uploadKey(uploadDestinationId), { ...type, contentMd5 })
      const createdAt = clock.now()
      const key = { sellerId, uploadDestinationId, applicationId, marketplaceId }
      await database.transact((tx) => insertUploadDestination(tx, { ...key, resource, ...type, contentMd5, createdAt }))
      const headers = { 'Content-MD5': contentMd5, ...(contentType !== undefined && { 'Content-Type': contentType }) }
      return { uploadDestinationId, url, headers }
    },
  }
}

const noSuchResource = (resource: string) =>
  new ApiError(
    'NotFound',
    'The resource does not take uploads.',
    'Uploads are for aplus/2020-11-01/contentDocuments and messaging/v1/orders/{amazonOrderId}/messages/{message}.',
    { explain: () => ({ facts: { resource }, change: { path: `${UPLOADS_PATH}${A_PLUS}` } }) },
  )
