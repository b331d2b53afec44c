import { type Static, Type } from 'typebox'
import { DateTime, strict } from '../../../marketplace/schema.ts'

export const MAX_COUNTED = 10_000
export const MAX_BODY_CHARACTERS = 262_144
export const MESSAGE_STATES = ['VISIBLE', 'IN_FLIGHT', 'DELAYED'] as const

const PageToken = Type.Optional(Type.String({ maxLength: 1000, description: '`nextToken` of the page before' }))
const NextToken = Type.Optional(Type.String({ description: 'Absent on the last page' }))
const Count = Type.Integer({ minimum: 0 })

export const QueuesQuery = Type.Object(
  {
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 100' })),
    pageToken: PageToken,
  },
  strict,
)

export const MessagesQuery = Type.Object(
  {
    pageSize: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default: 20' })),
    pageToken: PageToken,
  },
  strict,
)

export const QueueParams = Type.Object({ name: Type.String({ maxLength: 80, description: 'Name of a queue' }) })

export const QueueList = Type.Object({
  queues: Type.Array(
    Type.Object({
      name: Type.String(),
      arn: Type.String(),
      createdAt: DateTime,
      visibilityTimeoutSeconds: Count,
      retentionSeconds: Count,
      deadLetterQueue: Type.Optional(
        Type.Object(
          { arn: Type.String(), maxReceiveCount: Count },
          { description: 'Where messages go that were received too often' },
        ),
      ),
      messages: Type.Object(
        { visible: Count, inFlight: Count, delayed: Count },
        { description: 'Each counted up to 10,000' },
      ),
    }),
    { description: 'By name' },
  ),
  nextToken: NextToken,
})
export type QueueList = Static<typeof QueueList>

export const MessageList = Type.Object({
  messages: Type.Array(
    Type.Object({
      messageId: Type.String(),
      state: Type.Enum(MESSAGE_STATES, {
        description: 'VISIBLE: can be received. IN_FLIGHT: received and not deleted. DELAYED: cannot be received yet.',
      }),
      sentAt: DateTime,
      visibleAt: Type.String({ format: 'date-time', description: 'When it can be received, or could be' }),
      receiveCount: Count,
      firstReceivedAt: Type.Optional(DateTime),
      deadLetterSource: Type.Optional(Type.String({ description: 'ARN of the queue that it comes from' })),
      attributes: Type.Record(
        Type.String(),
        Type.Object({
          DataType: Type.String(),
          StringValue: Type.Optional(Type.String()),
          BinaryValue: Type.Optional(Type.String({ description: 'In base64' })),
        }),
      ),
      body: Type.String({ description: 'The first 262,144 characters' }),
      isBodyTruncated: Type.Boolean(),
    }),
    { description: 'In the order in which they can be received' },
  ),
  nextToken: NextToken,
})
export type MessageList = Static<typeof MessageList>
