import { type TObject, type TProperties, Type } from 'typebox'
import { type App, errorResponses } from '../../http/route.ts'
import { strict } from '../../marketplace/schema.ts'
import type { PageQuery } from '../../platform/paging.ts'
import { operatorConfig as config, operatorTags as tags } from '../resources/resource-routes.ts'

/** Rows that wait for background work. The operator lists them by state, retries and discards them. */
interface QueueDefinition<Key extends object, State extends string> {
  /** As in the path and in the body of a list: `jobs`. */
  plural: string
  /** As in operation ids: `Job` and `Jobs`. */
  names: { one: string; many: string }
  summaries: { list: string; retry: string; discard: string }
  states: readonly State[]
  /** Properties that filter a list, besides the state. */
  filters?: TProperties
  /** Path parameters, in the order of the path. */
  key: TObject
  viewSchema: TObject
  retryResult: TObject
  list(query: QueueQuery<State>): Promise<object>
  retry(key: Key): Promise<object>
  discard(key: Key): Promise<void>
}

export interface QueueQuery<State extends string> extends PageQuery {
  state: State
}

const DEFAULT_PAGE_SIZE = 100

export function addQueueRoutes<Key extends object, State extends string>(
  app: App,
  queue: QueueDefinition<Key, State>,
): void {
  const { plural, names, summaries, states, filters, key, viewSchema, retryResult } = queue
  const path = `/operator/v1/${plural}`
  const itemPath = [path, ...Object.keys(key.properties).map((name) => `:${name}`)].join('/')

  app.get(
    path,
    {
      config,
      schema: {
        operationId: `list${names.many}`,
        summary: summaries.list,
        tags,
        querystring: Type.Object(
          {
            state: Type.Enum([...states]),
            ...filters,
            pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
            pageToken: Type.Optional(Type.String({ maxLength: 1000 })),
          },
          strict,
        ),
        response: {
          200: Type.Object({ [plural]: Type.Array(viewSchema), nextToken: Type.Optional(Type.String()) }),
          ...errorResponses,
        },
      },
    },
    async (request) => {
      const query = request.query as Omit<QueueQuery<State>, 'pageSize'> & { pageSize?: number }
      return { ...(await queue.list({ pageSize: DEFAULT_PAGE_SIZE, ...query })) }
    },
  )

  app.post(
    `${itemPath}/retry`,
    {
      config,
      schema: {
        operationId: `retry${names.one}`,
        summary: summaries.retry,
        tags,
        params: key,
        response: { 200: retryResult, ...errorResponses },
      },
    },
    async (request) => ({ ...(await queue.retry(request.params as Key)) }),
  )

  app.delete(
    itemPath,
    {
      config,
      schema: {
        operationId: `discard${names.one}`,
        summary: summaries.discard,
        tags,
        params: key,
        response: { 200: Type.Object({}), ...errorResponses },
      },
    },
    async (request) => {
      await queue.discard(request.params as Key)
      return {}
    },
  )
}
