import { type Static, Type } from 'typebox'
import { strict } from '../../marketplace/schema.ts'
import { SUBJECTS, type Subject } from '../subjects.ts'

const MAX_PAGE = 200
export const DEFAULT_PAGE = 50

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description }))

const subjectFields = Object.fromEntries(
  SUBJECTS.map((subject) => [subject, text('An id in the path, the query or a body')]),
) as Record<Subject, ReturnType<typeof text>>

/** The conditions that lists, streams and expectations share. */
export const matcherFields = {
  operation: text('The name of the operation, such as `getOrder`; `unknown` for other paths'),
  seller: text('The id of the seller of the token'),
  application: text('The id of the application of the token'),
  grant: text('Which refresh token a request for a token has: `grant` of a request of the log'),
  status: Type.Optional(
    Type.String({ pattern: '^[1-5]([0-9]{2}|[xX]{2})$', description: 'A status, or `4xx` for all of a class' }),
  ),
  method: text('The HTTP method'),
  path: text('How the path begins'),
  q: text('A text in the URL or in a body, ignoring case'),
  ...subjectFields,
}

const Since = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'A time of the marketplace, or the id of a request: only requests from that time on, or after it',
  }),
)

export const ListQuery = Type.Object(
  {
    ...matcherFields,
    since: Since,
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_PAGE, description: `Default: ${DEFAULT_PAGE}` })),
    cursor: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: '`nextCursor` of the page before' }),
    ),
  },
  strict,
)
export type ListQuery = Static<typeof ListQuery>

export const StreamQuery = Type.Object(
  {
    ...matcherFields,
    maxPerSecond: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        description:
          'Sends the newest requests, at most this many per second, and the number of those it skips. Default: sends all of them.',
      }),
    ),
  },
  strict,
)
export type StreamQuery = Static<typeof StreamQuery>

export const HarQuery = Type.Object({ ...matcherFields, since: Since }, strict)

export const RequestParams = Type.Object({ id: Type.String({ maxLength: 100, description: 'Request id' }) })

const summaryFields = {
  id: Type.String({ description: 'The header x-amzn-RequestId' }),
  url: Type.String({ description: 'Where the rest of it is: the header x-souk-request-url' }),
  operation: Type.String(),
  method: Type.String(),
  path: Type.String(),
  query: Type.String({ description: 'As it was sent, but without secrets' }),
  status: Type.Optional(Type.Integer({ description: 'Absent while it is running, and if no response was sent' })),
  outcome: Type.Union([Type.Literal('running'), Type.Literal('completed'), Type.Literal('clientGone')]),
  time: Type.String({ format: 'date-time', description: 'The time of the marketplace at which it started' }),
  startedAt: Type.String({ format: 'date-time', description: 'The time of the system at which it started' }),
  milliseconds: Type.Optional(Type.Number({ description: 'How long it took, in real time' })),
  seller: Type.Optional(Type.String()),
  application: Type.Optional(Type.String()),
  grant: Type.Optional(
    Type.String({
      description: 'Of a request for a token: the same for the same refresh token, which it does not reveal',
    }),
  ),
  subjects: Type.Unsafe<Partial<Record<Subject, readonly string[]>>>(
    Type.Object(Object.fromEntries(SUBJECTS.map((subject) => [subject, Type.Optional(Type.Array(Type.String()))])), {
      description: 'What it is about',
    }),
  ),
  quota: Type.Optional(
    Type.Object(
      {
        perSecond: Type.Number(),
        burst: Type.Number(),
        left: Type.Number({ description: 'Requests that were left after this one' }),
      },
      { description: "The caller's quota of the operation" },
    ),
  ),
  faultId: Type.Optional(Type.String({ description: 'The rule that changed the response' })),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String(), reason: Type.String() })),
}

export const RequestSummary = Type.Object(summaryFields)
export type RequestSummary = Static<typeof RequestSummary>

const Message = Type.Object({
  headers: Type.Record(Type.String(), Type.String()),
  bytes: Type.Integer({ description: 'The length of the body' }),
  body: Type.Optional(Type.String({ description: 'Absent if there is none, or if it is a document' })),
  isCut: Type.Optional(Type.Literal(true, { description: 'Whether the body is longer than what is here' })),
})

const NearestRequest = Type.Object(
  {
    method: Type.String(),
    url: Type.String({ description: 'The path and the query' }),
    headers: Type.Optional(Type.Record(Type.String(), Type.String(), { description: 'Headers to send instead' })),
    body: Type.Optional(Type.Unknown({ description: 'The body to send instead' })),
    notBefore: Type.Optional(
      Type.String({ format: 'date-time', description: 'The time of the marketplace to wait for' }),
    ),
    first: Type.Optional(Type.String({ description: 'What to do before' })),
  },
  { description: 'The nearest request that this rule lets pass' },
)

const Explanation = Type.Object({
  rule: Type.String({ description: 'The rule that refused the request' }),
  facts: Type.Record(Type.String(), Type.Unknown(), { description: 'What the rule looked at' }),
  nearest: Type.Optional(NearestRequest),
  noNearest: Type.Optional(
    Type.String({ description: 'Why no request like this one passes. Present if there is no `nearest`.' }),
  ),
})
export type Explanation = Static<typeof Explanation>

export const RequestDetail = Type.Object({
  ...summaryFields,
  request: Message,
  response: Type.Optional(Message),
  explanation: Type.Optional(Explanation),
})
export type RequestDetail = Static<typeof RequestDetail>

export const RequestList = Type.Object({
  requests: Type.Array(RequestSummary),
  nextCursor: Type.Optional(Type.String()),
  dropped: Type.Integer({ description: 'How many older requests the log no longer has' }),
  cleared: Type.Integer({ description: 'How many requests were removed by clearing the log, or by a reset' }),
})
export type RequestList = Static<typeof RequestList>
