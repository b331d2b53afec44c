import type { FastifyReply, FastifyRequest } from 'fastify'

const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** Adds the headers of every response, including errors. */
export function addCommonHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS)
  reply.header('x-amzn-requestid', request.id)
}
