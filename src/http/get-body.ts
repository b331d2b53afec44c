import type { FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'
import { isJson, mediaTypeOf } from './body-parser.ts'
import { parseJsonBody } from './json-body.ts'
import type { App } from './route.ts'

const LARGEST_BODY_BYTES = 64 * 1024

/**
 * Reads the JSON body of a GET for the routes that look at one. The framework passes such bodies by, and that is right
 * for all other routes: clients send content types, and worse, with requests that have nothing to say.
 */
export function addGetBodies(app: App): void {
  app.decorateRequest('bodyOnGet', undefined)
  app.addHook('onRoute', (route) => {
    if (route.config?.bodyOnGet) route.preParsing = [route.preParsing ?? [], readBody].flat()
  })
}

async function readBody(request: FastifyRequest): Promise<undefined> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  if ((length === undefined || length === '0') && encoding === undefined) return
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request.raw.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > LARGEST_BODY_BYTES) throw new ApiError('RequestTooLarge', 'The request body is too large.')
    chunks.push(chunk)
  }
  if (bytes === 0) return
  request.rawBody = Buffer.concat(chunks)
  if (isJson(mediaTypeOf(request))) request.bodyOnGet = parseJsonBody(request.rawBody)
}
