import { promisify } from 'node:util'
import type { FastifyRequest } from 'fastify'
import { isJson, mediaTypeOf } from './body-parser.ts'
import { parseJsonBody } from './json-body.ts'
import { readBody } from './read-body.ts'
import type { FastifyApp } from './route.ts'

const DEFAULT_BODY_LIMIT = 64 * 1024

/**
 * Reads the JSON body of a GET for the routes that look at one. The framework passes such bodies by, and that is right
 * for all other routes: clients send content types, and worse, with requests that have nothing to say.
 */
export function addGetBodies(app: FastifyApp): void {
  app.decorateRequest('bodyOnGet', undefined)
  app.addHook('onRoute', (route) => {
    if (!route.config?.bodyOnGet) return
    route.bodyLimit ??= DEFAULT_BODY_LIMIT
    route.preParsing = [route.preParsing ?? [], createReader(route.bodyLimit)].flat()
  })
}

const readWhole = promisify(readBody)

function createReader(bodyLimit: number) {
  return async (request: FastifyRequest): Promise<undefined> => {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
    if ((length === undefined || length === '0') && encoding === undefined) return
    const bytes = await readWhole(request.raw, bodyLimit)
    if (!bytes?.length) return
    request.rawBody = bytes
    if (isJson(mediaTypeOf(request))) request.bodyOnGet = parseJsonBody(bytes)
  }
}
