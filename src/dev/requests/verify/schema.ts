import { type Static, Type } from 'typebox'
import { strict } from '../../../marketplace/schema.ts'
import { matcherFields, RequestSummary } from '../schema.ts'

export const MAX_TIMEOUT_SECONDS = 60
const MAX_EXPECTATIONS = 100
const MAX_COUNT = 1_000_000
const MAX_SECONDS = 10 * 365 * 24 * 3600

const conditions = {
  ...matcherFields,
  status: Type.Optional(
    Type.Union([matcherFields.status, Type.Integer({ minimum: 100, maximum: 599 })], {
      description: 'A status, or `4xx` for all of a class',
    }),
  ),
  body: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, description: 'What the JSON body of the request has, among other things' },
    ),
  ),
}
const Matcher = Type.Object(conditions, strict)

const CountNumber = Type.Integer({ minimum: 0, maximum: MAX_COUNT })
const Count = Type.Object(
  {
    exactly: Type.Optional(CountNumber),
    atLeast: Type.Optional(CountNumber),
    atMost: Type.Optional(CountNumber),
    between: Type.Optional(Type.Array(CountNumber, { minItems: 2, maxItems: 2 })),
    perSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_SECONDS,
        description: 'With `atMost`: in any period of this length',
      }),
    ),
  },
  { ...strict, description: 'How many requests match. Default: at least one' },
)

export const Expectation = Type.Object(
  {
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'For the result' })),
    ...conditions,
    count: Type.Optional(Count),
    inOrder: Type.Optional(
      Type.Array(Matcher, {
        minItems: 2,
        maxItems: 100,
        description: 'Requests that follow one another in this order, with others in between',
      }),
    ),
    after: Type.Optional(Matcher),
    noCallWithinSeconds: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: MAX_SECONDS,
        description: 'With `after`: no request that matches comes so soon after the response',
      }),
    ),
    sameOperation: Type.Optional(
      Type.Boolean({ description: 'With `after`: of the same operation, application and seller. Default: false' }),
    ),
  },
  strict,
)
export type Expectation = Static<typeof Expectation>

export const VerifyBody = Type.Object(
  {
    expectations: Type.Array(Expectation, { minItems: 1, maxItems: MAX_EXPECTATIONS }),
    since: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'A time of the marketplace, or the id of a request: only requests from that time on, or after it',
      }),
    ),
    timeoutSeconds: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: MAX_TIMEOUT_SECONDS,
        description: 'How long to wait until all expectations are met, in real time. Default: 0',
      }),
    ),
  },
  strict,
)
export type VerifyBody = Static<typeof VerifyBody>

export const ExpectationResult = Type.Object({
  name: Type.Optional(Type.String()),
  passed: Type.Boolean(),
  expected: Type.String(),
  seen: Type.Integer({ description: 'How many requests matched' }),
  message: Type.String(),
  requests: Type.Array(RequestSummary, {
    description: 'Those that matched, or that should not have come: the last five',
  }),
  closest: Type.Array(Type.Object({ request: RequestSummary, differences: Type.Array(Type.String()) }), {
    description: 'If it failed: requests that nearly matched, and why they did not',
  }),
})
export type ExpectationResult = Static<typeof ExpectationResult>

export const Verification = Type.Object({ passed: Type.Boolean(), results: Type.Array(ExpectationResult) })
export type Verification = Static<typeof Verification>
