// A small client of the Selling Partner API: it keeps its tokens, waits when it is throttled, and gives up in the end.
import { setTimeout as pause } from 'node:timers/promises'

export interface ClientSettings {
  clientId: string
  clientSecret: string
  refreshToken: string
  url?: string
  tokenUrl?: string
  /** Default: real time. */
  sleep?: (milliseconds: number) => Promise<unknown>
}

export interface CallOptions {
  query?: Record<string, string>
  body?: object
  /** For grantless operations. */
  scope?: string
}

export class ApiCallError extends Error {
  readonly status: number
  constructor(call: string, status: number, body: string) {
    super(`${call}: ${status} ${body}`)
    this.status = status
  }
}

export type Client = ReturnType<typeof createClient>

const MAX_ATTEMPTS = 8
const TIMEOUT_MILLISECONDS = 30_000

export const settingsFromEnvironment = (): ClientSettings => ({
  clientId: process.env.LWA_CLIENT_ID ?? '',
  clientSecret: process.env.LWA_CLIENT_SECRET ?? '',
  refreshToken: process.env.LWA_REFRESH_TOKEN ?? '',
  ...(process.env.SP_API_URL && { url: process.env.SP_API_URL }),
  ...(process.env.LWA_URL && { tokenUrl: process.env.LWA_URL }),
})

export function createClient(settings: ClientSettings) {
  const { url = 'https://sellingpartnerapi-na.amazon.com', tokenUrl = 'https://api.amazon.com/auth/o2/token' } =
    settings
  const { clientId: client_id, clientSecret: client_secret, refreshToken: refresh_token, sleep = pause } = settings
  const tokens = new Map<string, string>()

  async function tokenFor(scope: string): Promise<string> {
    const known = tokens.get(scope)
    if (known) return known
    const grant: Record<string, string> = scope
      ? { grant_type: 'client_credentials', scope }
      : { grant_type: 'refresh_token', refresh_token }
    const body = new URLSearchParams({ ...grant, client_id, client_secret })
    const response = await fetch(tokenUrl, { method: 'POST', body, signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS) })
    const text = await response.text()
    if (!response.ok) throw new ApiCallError('token', response.status, text)
    const { access_token } = JSON.parse(text) as { access_token: string }
    tokens.set(scope, access_token)
    return access_token
  }

  return async function call<Answer>(method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { query, body, scope = '' } = options
    const address = `${url}${path}${query ? `?${new URLSearchParams(query)}` : ''}`
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(address, {
        method,
        headers: { 'x-amz-access-token': await tokenFor(scope), 'content-type': 'application/json' },
        signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      if (response.ok) return (text ? JSON.parse(text) : {}) as Answer
      const hasExpired = response.status === 403 && /expired/.test(text)
      const isBusy = response.status === 429 || response.status >= 500
      if (attempt === MAX_ATTEMPTS || !(hasExpired || isBusy)) {
        throw new ApiCallError(`${method} ${path}`, response.status, text)
      }
      if (hasExpired) tokens.delete(scope)
      else await sleep(waitOf(response, attempt))
    }
  }
}

/** One request of the quota, or twice as long each time if the response has no quota. */
function waitOf({ headers }: Response, attempt: number): number {
  const perSecond = Number(headers.get('x-amzn-ratelimit-limit'))
  return perSecond > 0 ? Math.ceil(1000 / perSecond) : 1000 * 2 ** attempt
}
