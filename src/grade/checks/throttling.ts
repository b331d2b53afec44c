import { type Check, judgeEach } from '../check.ts'
import { type Call, succeeded } from '../pass.ts'

const TOO_MANY_REQUESTS = 429
const MAX_WAIT_MILLISECONDS = 1_000
/** Timers and networks are not exact. */
const TOLERANCE = 0.8

const isThrottled = ({ status }: Call) => status === TOO_MANY_REQUESTS

const isSameQuota = (one: Call, other: Call) => one.operation === other.operation && one.caller === other.caller

/** The call of the same quota that came next. */
const nextOf = (call: Call, calls: readonly Call[]) =>
  calls.find((other) => other !== call && other.startedAt >= call.endedAt && isSameQuota(call, other))

export const backOffIsKept: Check = {
  name: 'back-off',
  title: 'After 429, the next call of the operation waits',
  judge: (passes) =>
    judgeEach(passes, 'responses with 429', ({ calls }) => {
      const throttled = calls.filter(isThrottled)
      return {
        cases: throttled.length,
        violations: throttled.flatMap((call) => {
          const next = nextOf(call, calls)
          const wait = next && next.startedAt - call.endedAt
          const wanted = wantedWait(call)
          if (wait === undefined || wait >= wanted * TOLERANCE) return []
          return [
            { call, message: `${call.operation} was called again after ${wait} ms; ${wanted} ms would be right.` },
          ]
        }),
      }
    }),
}

/**
 * The time until the quota has one more call, a second at most. With jitter, a later wait can be shorter than an
 * earlier one.
 */
const wantedWait = ({ rateLimit = 1 }: Call) => Math.round(Math.min(MAX_WAIT_MILLISECONDS, 1000 / rateLimit))

export const throttledCallsAreRepeated: Check = {
  name: 'retry',
  title: 'A call that got 429 is repeated until it succeeds',
  judge: (passes) =>
    judgeEach(passes, 'responses with 429', ({ calls }) => {
      const throttled = calls.filter(isThrottled)
      const isRepeated = (call: Call) =>
        calls.some((other) => other.startedAt >= call.endedAt && isSameRequest(call, other) && succeeded(other))
      return {
        cases: throttled.length,
        violations: throttled
          .filter((call) => !isRepeated(call))
          .map((call) => ({ call, message: `${call.operation} did not succeed afterward.` })),
      }
    }),
}

const isSameRequest = (one: Call, other: Call) => isSameQuota(one, other) && contentOf(one) === contentOf(other)

const contentOf = ({ method, path, query, content }: Call) => JSON.stringify([method, path, String(query), content])
