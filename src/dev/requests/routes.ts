import { Type } from 'typebox'
import { EventStream } from '../../http/event-stream.ts'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { REQUESTS_PATH } from './capture.ts'
import type { Entry } from './entry.ts'
import type { ListKnownIds } from './explain.ts'
import { writeHar } from './har.ts'
import { createRequestOperations, type RequestDependencies, requireOn, select } from './operations.ts'
import { HarQuery, ListQuery, RequestDetail, RequestList, RequestParams, StreamQuery } from './schema.ts'
import type { RequestStreams } from './stream.ts'

export interface RequestRouteOptions extends RequestDependencies {
  streams: RequestStreams
  version: string
  listKnownIds: ListKnownIds
}

// Clients send bursts of requests.
const MAX_UNREAD_BYTES = 1024 * 1024
const tags = ['stand-in']
const config = { access: 'public' } as const

/** The request log of the stand-in. */
export function createRequestRoutes(options: RequestRouteOptions): Routes {
  const { log, controlUrl, streams, version } = options
  const operations = createRequestOperations(options)

  return (app: App) => {
    // A stream that stays open would delay the stop.
    app.addHook('preClose', async () => streams.stopAll())

    app.get(
      REQUESTS_PATH,
      {
        config,
        schema: {
          operationId: 'listRequests',
          summary: 'List the last requests',
          tags,
          querystring: ListQuery,
          response: { 200: RequestList, ...errorResponses },
        },
      },
      async ({ query }) => operations.listRequests(query),
    )

    app.delete(
      REQUESTS_PATH,
      {
        config,
        schema: {
          operationId: 'clearRequests',
          summary: 'Clear the request log',
          tags,
          response: { 204: Type.Null(), ...errorResponses },
        },
      },
      async (_request, reply) => {
        operations.clearRequests()
        return reply.code(204).send(null)
      },
    )

    app.get(
      `${REQUESTS_PATH}/stream`,
      {
        // Exclusive work would wait for a stream, which does not end by itself.
        config: { ...config, ungated: true },
        schema: {
          operationId: 'streamRequests',
          summary: 'Get requests as server-sent events when they are over',
          tags,
          querystring: StreamQuery,
          response: {
            200: {
              description:
                'Events `request`, with what a list has of a request; `skipped`, with the `count` of requests beyond `maxPerSecond`; and `dropped`, the last for a reader that is too slow.',
              content: { 'text/event-stream': { schema: Type.String() } },
            },
            ...errorResponses,
          },
        },
      },
      ({ query }, reply) => {
        requireOn(log)
        streams.requireRoom()
        const stream = new EventStream({ maxBufferedBytes: MAX_UNREAD_BYTES })
        streams.open(stream, query)
        stream.respond(reply)
      },
    )

    app.get(
      `${REQUESTS_PATH}.har`,
      {
        config,
        schema: {
          operationId: 'exportRequests',
          summary: 'Export the last requests as an HTTP Archive',
          tags,
          querystring: HarQuery,
          response: {
            200: Type.Object({}, { additionalProperties: true, description: 'An HTTP Archive 1.2' }),
            ...errorResponses,
          },
        },
      },
      async ({ query: { since, ...wanted } }, reply) => {
        requireOn(log)
        reply.header('content-disposition', 'attachment; filename="souk.har"')
        const entries: Entry[] = []
        for await (const entry of select(log, wanted, since)) entries.push(entry)
        reply.type('application/json; charset=utf-8')
        return writeHar(entries, new URL(controlUrl()).origin, version)
      },
    )

    app.get(
      `${REQUESTS_PATH}/:id`,
      {
        config,
        schema: {
          operationId: 'getRequest',
          summary: 'Get a request, its response and why it was refused',
          tags,
          params: RequestParams,
          response: { 200: RequestDetail, ...errorResponses },
        },
      },
      async ({ params }) => operations.getRequest(params.id),
    )
  }
}
