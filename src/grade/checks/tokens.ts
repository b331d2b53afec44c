import { type Check, judgeEach } from '../check.ts'
import { type Call, succeeded } from '../pass.ts'

const HOUR_MILLISECONDS = 3_600_000
/** A command may consist of several processes, each with a token of its own. */
const MIN_CALLS_PER_TOKEN = 10

/** Tokens are valid for an hour. Requesting one for each call doubles the latency of an integration, and is throttled. */
export const tokensAreCached: Check = {
  name: 'tokens',
  title: 'Access tokens are cached',
  judge: (passes) =>
    judgeEach(passes, 'access tokens', ({ calls }) => {
      const granted = calls.filter((call) => call.operation === 'createToken' && succeeded(call))
      const others = calls.filter(({ operation }) => operation !== 'createToken')
      if (others.length >= granted.length * MIN_CALLS_PER_TOKEN) return { cases: granted.length, violations: [] }
      const early = granted.filter((call, index) =>
        granted.slice(0, index).some((earlier) => isStillGood(earlier, call, calls)),
      )
      return {
        cases: granted.length,
        violations: early.map((call) => ({ call, message: 'The token before it was still valid.' })),
      }
    }),
}

function isStillGood(earlier: Call, later: Call, calls: readonly Call[]): boolean {
  if (!isSameGrant(earlier, later) || later.time - earlier.time >= HOUR_MILLISECONDS) return false
  // A refused token is a reason to ask for another.
  const wasRefused = ({ status, startedAt }: Call) =>
    (status === 401 || status === 403) && startedAt >= earlier.startedAt && startedAt <= later.startedAt
  return !calls.some(wasRefused)
}

const isSameGrant = (one: Call, other: Call) => one.grant === other.grant && one.tokenScope === other.tokenScope
