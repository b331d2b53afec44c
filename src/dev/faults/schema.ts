import { Type } from 'typebox'
import { DateTime, strict } from '../../marketplace/schema.ts'
import { SUBJECTS } from '../subjects.ts'
import { FAULT_KINDS } from './actions.ts'
import type { FaultRule, FaultSettings } from './public.ts'

const MAX_SEED = 2 ** 32 - 1
/** Real time that a latency may take. */
export const MAX_LATENCY_MILLISECONDS = 60_000
const MAX_SECONDS = 365 * 86_400
const MAX_COUNT = 1_000_000_000

const Text = Type.String({ minLength: 1, maxLength: 1_000 })
const optionalText = Type.Optional(Text)
const OperationName = Type.String({ minLength: 1, maxLength: 100 })
const latency = Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_LATENCY_MILLISECONDS }))
const count = (description: string) => Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_COUNT, description }))
const time = (description: string) => Type.Optional({ ...DateTime, description })

export const FaultMatchBody = Type.Object(
  {
    operations: Type.Optional(
      Type.Union([OperationName, Type.Array(OperationName, { minItems: 1, maxItems: 100 })], {
        description:
          'Operations of the API, or `processReport`, `processFeed` and `sendNotification`. Default: all that the action fits',
      }),
    ),
    sellerId: optionalText,
    applicationId: optionalText,
    clientId: optionalText,
    ...Object.fromEntries(SUBJECTS.map((subject) => [subject, optionalText])),
    queueArn: optionalText,
    nextPage: Type.Optional(
      Type.Boolean({
        description: '`true`: only requests for a page of a list that is not the first. `false`: only others',
      }),
    ),
  },
  { ...strict, description: 'All fields that are given must match' },
)

const Action = Type.Object(
  {
    kind: Type.Enum(FAULT_KINDS),
    status: Type.Optional(Type.Integer({ minimum: 400, maximum: 599 })),
    when: Type.Optional(Type.Enum(['before', 'after'], { description: 'Of the effect. Default: before' })),
    code: optionalText,
    message: optionalText,
    details: Type.Optional(Type.String({ maxLength: 1_000 })),
    milliseconds: latency,
    minMilliseconds: latency,
    maxMilliseconds: latency,
    bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_COUNT })),
    rateLimitHeader: Type.Optional(Type.Boolean({ description: 'Default: true' })),
    state: Type.Optional(Type.Enum(['IN_QUEUE', 'IN_PROGRESS'], { description: 'Default: IN_PROGRESS' })),
    copies: Type.Optional(Type.Integer({ minimum: 1, maximum: 10, description: 'Default: 1' })),
    seconds: Type.Optional(Type.Number({ exclusiveMinimum: 0, maximum: MAX_SECONDS })),
    reason: Type.Optional(Type.Enum(['AccessDenied', 'NonExistentQueue'], { description: 'Default: AccessDenied' })),
  },
  { ...strict, description: 'The fields of the kind, as the documentation has them' },
)

export const ForSeconds = Type.Number({
  exclusiveMinimum: 0,
  maximum: MAX_SECONDS,
  description: 'For this much time of the clock',
})

const settings = {
  name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'A text of your own' })),
  match: Type.Optional(FaultMatchBody),
  action: Action,
  percentage: Type.Optional(
    Type.Number({ exclusiveMinimum: 0, maximum: 100, description: 'Hit this share of the matching calls' }),
  ),
  seed: Type.Optional(Type.Integer({ minimum: 0, maximum: MAX_SEED, description: 'Default: 1' })),
  nth: count('Hit only this matching call'),
  count: count('Hit at most this many calls'),
  from: time('From this time of the clock on'),
  until: time('Up to this time of the clock'),
}

export const FaultSettingsBody = Type.Unsafe<FaultSettings>(
  Type.Object(
    {
      ...settings,
      forSeconds: Type.Optional(ForSeconds),
      enabled: Type.Optional(Type.Boolean({ description: 'Default: true' })),
    },
    strict,
  ),
)

export const FaultRuleView = Type.Unsafe<FaultRule>(
  Type.Object({
    id: Type.String(),
    incident: Type.Optional(Type.String({ description: 'The incident that the rule belongs to' })),
    ...settings,
    enabled: Type.Boolean(),
    createdAt: DateTime,
    calls: Type.Integer({ description: 'How many calls matched' }),
    hits: Type.Integer({ description: 'How many calls the rule has hit' }),
  }),
)
