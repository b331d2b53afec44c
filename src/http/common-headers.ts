import type { FastifyReply, FastifyRequest } from 'fastify'

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** The headers that every answer carries, errors included. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS)
  reply.header('x-amzn-requestid', request.id)
}
