import type { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'
import { MAX_PARTS } from '../platform/json-size.ts'
import { parseForm } from './form-body.ts'
import { parseJsonBody } from './json-body.ts'
import { readBody } from './read-body.ts'
import { addRouteHooks, type FastifyApp, type RouteInfo } from './route.ts'

type ParseBody = (request: FastifyRequest, bytes: Buffer) => unknown

declare module 'fastify' {
  interface FastifyRequest {
    /** How the route uses the body; undefined if it ignores it. */
    parseBody: ParseBody | undefined
    /** How many bytes the body may have on this route. */
    bodyLimit: number
  }
}

const DEFAULT_BODY_LIMIT = 1024 * 1024
const JSON_TYPE = 'application/json'
const FORM_TYPE = 'application/x-www-form-urlencoded'
const NOTHING = Buffer.alloc(0)

/**
 * One parser for whatever arrives. Real clients send content types on requests that have no body, and empty bodies
 * under any content type, so the type is looked at only where a body is wanted and there is one.
 */
export function addBodyParser(app: FastifyApp): void {
  app.decorateRequest('rawBody', undefined)
  app.decorateRequest('parseBody', undefined)
  app.decorateRequest('bodyLimit', DEFAULT_BODY_LIMIT)
  // Written into the route, so that the documentation shows it.
  app.addHook('onRoute', (route) => {
    if (route.schema?.body !== undefined) route.bodyLimit ??= DEFAULT_BODY_LIMIT
  })
  addRouteHooks(app, (info) => {
    if (!info.takesBody && (!info.signed || info.method === 'GET')) return {}
    const parseBody = createParser(info)
    return {
      onRequest: (request, _reply, done) => {
        request.parseBody = parseBody
        if (info.bodyLimit !== undefined) request.bodyLimit = info.bodyLimit
        done()
      },
    }
  })
  app.removeAllContentTypeParsers()
  // Those that nearly all send, by name: the framework looks longer for what is only covered by the star.
  app.addContentTypeParser([JSON_TYPE, FORM_TYPE, '*'], (request: FastifyRequest, body, done) => {
    readBody(body as IncomingMessage, request.bodyLimit, (error, bytes = NOTHING) => {
      if (error) return done(error)
      if (request.isLogged) request.rawBody = bytes
      let value: unknown
      try {
        value = request.parseBody?.(request, bytes)
      } catch (error) {
        return done(error as Error)
      }
      done(null, value)
    })
  })
}

function createParser({ takesBody, signed, oauth, bodyAsBytes }: RouteInfo): ParseBody {
  return (request, bytes) => {
    if (signed) request.rawBody = bytes
    if (!takesBody || bytes.length === 0) return undefined
    if (bodyAsBytes) return bytes
    const mediaType = mediaTypeOf(request)
    // Longer bodies come from the operator.
    const maxParts = request.bodyLimit > DEFAULT_BODY_LIMIT ? undefined : MAX_PARTS
    if (isJson(mediaType)) return parseJsonBody(bytes, maxParts)
    if (oauth && mediaType === FORM_TYPE) return parseForm(bytes)
    throw new ApiError(
      'UnsupportedMediaType',
      `The request body must be ${oauth ? `${FORM_TYPE} or ${JSON_TYPE}` : JSON_TYPE}.`,
      mediaType ? `The content type is ${mediaType}.` : 'The header Content-Type is missing.',
      {
        explain: () => ({
          rule: `A body has the content type ${oauth ? `${FORM_TYPE} or ${JSON_TYPE}` : JSON_TYPE}.`,
          facts: { 'content-type': mediaType || null },
          change: { headers: { 'content-type': JSON_TYPE } },
        }),
      },
    )
  }
}

export function mediaTypeOf({ headers }: FastifyRequest): string {
  const { 'content-type': type = '' } = headers
  // The common cases, in which there is nothing to parse.
  return type === JSON_TYPE || type === FORM_TYPE ? type : (type.split(';', 1)[0] ?? '').trim().toLowerCase()
}

export const isJson = (mediaType: string) => mediaType.endsWith('json')
