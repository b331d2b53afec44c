import { Ajv } from 'ajv'
import type { Routes } from '../../src/http/route.ts'
import { isTimestamp } from '../../src/platform/timestamps.ts'

const ajv = new Ajv({ strict: false, formats: { 'date-time': isTimestamp } })

const GATEWAY_STATUSES = new Set([502, 504])

/** Fails a request whose response does not satisfy the schema of its route. */
export const checkResponses: Routes = (app) => {
  app.addHook('onSend', async (request, reply, payload) => {
    const { schema: route, config } = request.routeOptions
    const declared = config.responses as Record<string, object> | undefined
    const text = Buffer.isBuffer(payload) ? payload.toString() : payload
    if (!declared || config.storage || typeof text !== 'string') return payload
    // A gateway responds in a format of its own, and Souk only where a fault rule plays one.
    if (GATEWAY_STATUSES.has(reply.statusCode)) return payload
    if (!/json/.test(String(reply.getHeader('content-type')))) return payload
    const status = String(reply.statusCode)
    const schema = declared[status] ?? declared[`${status[0]}xx`]
    const operation = route?.operationId
    if (!schema) throw new Error(`${operation} does not declare the status ${status}`)
    if (!ajv.validate(schema, JSON.parse(text))) {
      throw new Error(`The response of ${operation} violates its schema: ${ajv.errorsText()} in ${text}`)
    }
    return payload
  })
}
