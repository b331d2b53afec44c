import { type App, errorResponses, type Routes } from '../../../http/route.ts'
import type { InspectionOperations } from './operations.ts'
import { MessageList, MessagesQuery, QueueList, QueueParams, QueuesQuery } from './schema.ts'

const DEFAULT_QUEUES = 100
const DEFAULT_MESSAGES = 20
const tags = ['stand-in']
const config = { access: 'public' } as const

/** What is in the local queue. */
export const createInspectionRoutes =
  (operations: InspectionOperations): Routes =>
  (app: App) => {
    app.get(
      '/_souk/queue',
      {
        config,
        schema: {
          operationId: 'listLocalQueues',
          summary: 'List local queues with the number of their messages',
          tags,
          querystring: QueuesQuery,
          response: { 200: QueueList, ...errorResponses },
        },
      },
      ({ query }) => operations.listLocalQueues({ pageSize: DEFAULT_QUEUES, ...query }),
    )

    app.get(
      '/_souk/queue/:name/messages',
      {
        config,
        schema: {
          operationId: 'peekLocalQueue',
          summary: 'List messages of a local queue without receiving them',
          tags,
          params: QueueParams,
          querystring: MessagesQuery,
          response: { 200: MessageList, ...errorResponses },
        },
      },
      ({ params, query }) => operations.peekLocalQueue(params.name, { pageSize: DEFAULT_MESSAGES, ...query }),
    )
  }
