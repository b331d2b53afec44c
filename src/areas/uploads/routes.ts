import { type App, errorResponses, type Routes, restOf, sellerOf } from '../../http/route.ts'
import type { UploadOperations } from './operations.ts'
import { UploadParams, UploadQuery, UploadResponse } from './schema.ts'
import { UPLOADS_PATH } from './upload.ts'

export function createUploadRoutes(operations: UploadOperations): Routes {
  return (app: App) => {
    app.post(
      `${UPLOADS_PATH}*`,
      {
        config: { access: { seller: true }, rate: { perSecond: 10, burst: 10 } },
        schema: {
          operationId: 'createUploadDestinationForResource',
          summary: 'Create an upload destination and its URL',
          tags: ['uploads'],
          params: UploadParams,
          querystring: UploadQuery,
          response: { 201: UploadResponse, ...errorResponses },
        },
      },
      async (request, reply) => {
        const caller = sellerOf(request)
        reply.code(201)
        return { payload: await operations.createUploadDestinationForResource(caller, restOf(request), request.query) }
      },
    )
  }
}
