import type { FastifyRequest } from 'fastify'
import { ApiError } from '../platform/errors/api-error.ts'
import { parseJsonBody } from './json-body.ts'
import type { App } from './route.ts'

/**
 * One parser for whatever arrives. Real clients send content types on requests that have no body, and empty bodies
 * under any content type, so the type is looked at only where a body is wanted and there is one.
 */
export function addBodyParser(app: App): void {
  app.decorateRequest('rawBody', undefined)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    const { schema, config } = request.routeOptions
    if (config.signed) request.rawBody = bytes
    if (!schema?.body || bytes.length === 0) return undefined
    const mediaType = mediaTypeOf(request)
    if (isJson(mediaType)) return parseJsonBody(bytes)
    if (config.oauth && mediaType === 'application/x-www-form-urlencoded') return parseForm(bytes)
    const accepted = config.oauth ? 'application/x-www-form-urlencoded or application/json' : 'application/json'
    throw new ApiError(
      'UnsupportedMediaType',
      `The request body must be ${accepted}.`,
      mediaType ? `The content type is ${mediaType}.` : 'The header Content-Type is missing.',
    )
  })
}

export const mediaTypeOf = ({ headers }: FastifyRequest) =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

export const isJson = (mediaType: string) => mediaType.endsWith('json')

function parseForm(bytes: Buffer): Record<string, string> {
  const fields = new URLSearchParams(bytes.toString('utf8'))
  const form: Record<string, string> = Object.create(null)
  for (const [name, value] of fields) {
    // RFC 6749, section 3.2: a parameter must not be included more than once.
    if (name in form) throw new ApiError('InvalidInput', `The parameter ${name} appears twice.`)
    if (value.includes('\0')) throw new ApiError('InvalidInput', `The parameter ${name} holds the character NUL.`)
    form[name] = value
  }
  return form
}
