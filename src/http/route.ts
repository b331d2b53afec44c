import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest, RawServerDefault } from 'fastify'
import { Type } from 'typebox'
import type { Caller, SellerCaller, TokenAccess } from '../platform/auth/caller.ts'
import type { Rate } from '../platform/throttle/port.ts'

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** A group of routes, ready to be added to the app. */
export type Routes = (app: App) => void

declare module 'fastify' {
  /** The facts about an operation that its route states beside its schema. */
  interface FastifyContextConfig {
    access?: 'public' | 'operator' | TokenAccess
    rate?: Rate
    /** Verify an AWS Signature Version 4 on it where the operator asks for signed requests. */
    signed?: true
    /** Take a form body as well as JSON, and answer errors as OAuth 2.0 does. */
    oauth?: true
  }
  interface FastifyRequest {
    caller: Caller | undefined
    /** The body as it came, kept only where a signature covers it. */
    rawBody: Buffer | undefined
  }
}

/** Who calls an operation that takes sellers' tokens only. */
export function sellerOf(request: FastifyRequest): SellerCaller {
  if (request.caller?.kind !== 'seller') throw new Error('This route does not declare that it needs a seller')
  return request.caller
}

export const operationOf = (request: FastifyRequest): string | undefined =>
  request.routeOptions.schema?.operationId ?? undefined

const ErrorList = Type.Object(
  {
    errors: Type.Array(
      Type.Object({ code: Type.String(), message: Type.String(), details: Type.Optional(Type.String()) }),
    ),
  },
  { description: 'What is wrong, and what would be right. docs/errors.md explains the codes.' },
)

/** The answers that every operation may give besides its own. */
export const errorResponses = { '4xx': ErrorList, '5xx': ErrorList } as const
