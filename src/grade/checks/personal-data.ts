import { type Check, judgeEach } from '../check.ts'
import { type Call, succeeded } from '../pass.ts'

const EMAIL = /[^\s@=&]+@[^\s@=&]+\.[a-z]{2,}/i

/** Tokens for personal data are requested for what is read with them, and personal data is not put into URLs. */
export const personalDataIsProtected: Check = {
  name: 'personal-data',
  title: 'Personal data is read with tokens that are used, and never put into a URL',
  judge: (passes) =>
    judgeEach(passes, 'requests about personal data', ({ calls }) => {
      const requested = calls.filter((call) => call.operation === 'createRestrictedDataToken' && succeeded(call))
      const restricted = calls.filter(({ usesRestrictedToken }) => usesRestrictedToken)
      const inUrls = calls.filter(({ query, path }) => EMAIL.test(`${path}?${decode(query)}`))
      return {
        cases: requested.length + restricted.length + inUrls.length,
        violations: [
          ...requested
            .filter((call) => !isUsed(call, restricted))
            .map((call) => ({ call, message: 'The restricted data token was never used.' })),
          ...inUrls.map((call) => ({ call, message: `The URL of ${call.operation} contains an email address.` })),
        ],
      }
    }),
}

const decode = (query: URLSearchParams) => [...query].map(([name, value]) => `${name}=${value}`).join('&')

/** A token names the paths that it is for. */
const isUsed = ({ endedAt, restrictedPaths }: Call, restricted: readonly Call[]): boolean =>
  restricted.some((call) => call.startedAt >= endedAt && restrictedPaths.some((path) => isPathOf(call.path, path)))

/** `/orders/v0/orders/{orderId}/address` is for any order. */
function isPathOf(path: string, pattern: string): boolean {
  const [parts, wanted] = [path.split('/'), pattern.split('/')]
  return parts.length === wanted.length && wanted.every((part, index) => part.startsWith('{') || part === parts[index])
}
