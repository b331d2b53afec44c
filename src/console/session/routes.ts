import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { CONSOLE_HEADER, isFromConsole } from '../../http/console-header.ts'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { invalidInput } from '../../platform/errors/api-error.ts'
import type { SessionCookie } from './cookie.ts'
import type { SessionOperations } from './operations.ts'
import { ConsoleSession, SignInBody } from './schema.ts'

const PATH = '/console/v1/session'
const tags = ['console']
const MAX_BODY_BYTES = 10_000

export function createSessionRoutes(operations: SessionOperations, cookie: SessionCookie): Routes {
  const setCookie = (reply: FastifyReply, value: string) => reply.header('set-cookie', value)

  return (app: App) => {
    app.get(
      PATH,
      {
        config: { access: 'public' },
        schema: {
          operationId: 'getConsoleSession',
          summary: 'Get the session of the console',
          description: 'Without a session, the status is 401 and the code `NotSignedIn`.',
          tags,
          response: { 200: ConsoleSession, ...errorResponses },
        },
      },
      async (request) => operations.getConsoleSession(request),
    )

    app.post(
      PATH,
      {
        config: { access: 'public' },
        bodyLimit: MAX_BODY_BYTES,
        schema: {
          operationId: 'createConsoleSession',
          summary: 'Sign in to the console',
          description:
            'Needs the header `x-souk-console` with any value. Sets the cookie `__Host-souk_session`, or `souk_session` ' +
            'without https. Wrong credentials: 403 `Unauthorized`. After too many of them: 429 `QuotaExceeded`.',
          tags,
          body: SignInBody,
          response: { 200: ConsoleSession, ...errorResponses },
        },
      },
      async (request, reply) => {
        if (!isFromConsole(request)) {
          throw invalidInput(
            CONSOLE_HEADER,
            `The header ${CONSOLE_HEADER} is missing: send it with any value.`,
            () => ({
              change: { headers: { [CONSOLE_HEADER]: 'true' } },
            }),
          )
        }
        const { token, body } = await operations.createConsoleSession(request, request.body)
        setCookie(reply, cookie.format(token))
        return body
      },
    )

    app.delete(
      PATH,
      {
        config: { access: 'public' },
        schema: {
          operationId: 'deleteConsoleSession',
          summary: 'Sign out of the console',
          tags,
          response: { 200: Type.Object({}), ...errorResponses },
        },
      },
      async (request, reply) => {
        await operations.deleteConsoleSession(request)
        setCookie(reply, cookie.formatEnded())
        return {}
      },
    )
  }
}
