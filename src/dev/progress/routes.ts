import { Type } from 'typebox'
import { EventStream } from '../../http/event-stream.ts'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import type { ProgressReaders } from './progress-readers.ts'

const Event = Type.Object(
  {
    task: Type.String(),
    done: Type.Number(),
    total: Type.Optional(Type.Number({ description: 'Absent if it is not known' })),
    message: Type.Optional(Type.String()),
  },
  { description: 'The data of an event `progress` or `end`. The event `idle` has no data.' },
)

/** A stream of the progress of long work. */
export function createProgressRoutes(readers: ProgressReaders): Routes {
  return (app: App) => {
    // A stream that stays open would delay the stop.
    app.addHook('preClose', async () => readers.stopAll())

    app.get(
      '/_souk/progress',
      {
        config: { access: 'public', ungated: true },
        schema: {
          operationId: 'getProgress',
          summary: 'Get the progress of long work as server-sent events',
          tags: ['stand-in'],
          querystring: Type.Object(
            {
              until: Type.Optional(
                Type.Literal('idle', { description: 'End the stream when no work is due. Default: never' }),
              ),
            },
            strict,
          ),
          response: { 200: { content: { 'text/event-stream': { schema: Event } } }, ...errorResponses },
        },
      },
      (request, reply) => {
        readers.requireRoom()
        const stream = new EventStream()
        readers
          .open(stream, request.query, () => stream.stop())
          .catch((err: unknown) => {
            request.log.warn({ err }, 'cannot read the progress of work')
            stream.end()
          })
        stream.respond(reply)
      },
    )
  }
}
