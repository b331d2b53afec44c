import { Type } from 'typebox'
import { EventStream } from '../../http/event-stream.ts'
import { type App, errorResponses, type Routes } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { type ReadProgress, streamProgress } from './progress-stream.ts'

const MAX_STREAMS = 100

export interface ProgressControl {
  /** Opens the sources of progress for one stream. */
  open(): ReadProgress
  /** Resolves when no background work is due. */
  idle(): Promise<void>
}

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
export function createProgressRoutes(control: ProgressControl): Routes {
  const streams = new Set<EventStream>()

  return (app: App) => {
    // A stream that stays open would delay the stop.
    app.addHook('preClose', async () => {
      for (const stream of streams) stream.stop()
    })

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
        if (streams.size >= MAX_STREAMS) {
          throw new ApiError(
            'InvalidInput',
            `There are ${MAX_STREAMS} streams of progress already.`,
            'Close one first.',
          )
        }
        const stream = new EventStream()
        streams.add(stream)
        void stream.closed.then(() => streams.delete(stream))
        const idle = request.query.until === 'idle' ? control.idle() : undefined
        streamProgress(stream, { read: control.open(), idle }).catch((err: unknown) => {
          request.log.warn({ err }, 'cannot read the progress of work')
          stream.end()
        })
        stream.respond(reply)
      },
    )
  }
}
