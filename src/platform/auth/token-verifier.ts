import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock/port.ts'
import type { Database } from '../database/port.ts'
import { type Caller, denied, withToken } from './caller.ts'
import { digest } from './digest.ts'
import { loadToken } from './token-store.ts'

const MAX_TOKEN_LENGTH = 2048
const MAX_CACHED_TOKENS = 10_000
// How long another process may go on honouring a token after it was revoked. This process forgets it at once.
const RECHECK_AFTER_MILLISECONDS = 10_000

interface CachedToken {
  caller: Caller
  expiresAt: number
  loadedAt: number
}

/** Says who an access token speaks for. */
export class TokenVerifier {
  readonly #database: Database
  readonly #clock: Clock
  readonly #cache = new BoundedMap<string, CachedToken>(MAX_CACHED_TOKENS)
  #revocations = 0

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  /** Returns without a promise for a recently verified token, the common case. */
  verify(token: string | undefined): Caller | Promise<Caller> {
    if (!token) throw missingToken()
    if (token.length > MAX_TOKEN_LENGTH) throw invalid(token)
    const now = this.#clock.now().getTime()
    const cached = this.#cache.get(token)
    if (cached && isRecent(cached, now)) return callerOf(cached, now)
    return this.#load(token, now).then((loaded) => callerOf(loaded, now))
  }

  async #load(token: string, now: number): Promise<CachedToken> {
    // Looked up by digest, so what an attacker can learn from the time it takes is of no use for making a token.
    const revocations = this.#revocations
    const stored = await this.#database.read((reader) => loadToken(reader, digest(token)))
    if (!stored) {
      this.#cache.delete(token)
      throw invalid(token)
    }
    const { caller, expiresAt } = stored
    const loaded = { caller, expiresAt: expiresAt.getTime(), loadedAt: now }
    // What was read before a revocation must not be remembered after it.
    if (revocations === this.#revocations) this.#cache.set(token, loaded)
    return loaded
  }

  /** Call it after a revocation: every token is loaded again. */
  clearCache(): void {
    this.#revocations++
    this.#cache.clear()
  }
}

/** A clock that was set back does not prolong it. */
function isRecent({ loadedAt }: CachedToken, now: number): boolean {
  const age = now - loadedAt
  return age >= 0 && age < RECHECK_AFTER_MILLISECONDS
}

function callerOf({ caller, expiresAt }: CachedToken, now: number): Caller {
  if (expiresAt <= now) throw expired(expiresAt, now)
  return caller
}

const missingToken = () =>
  denied('The access token is missing: send it in the header x-amz-access-token.', undefined, () => ({
    rule: 'The operation takes an access token in the header x-amz-access-token.',
    facts: { 'x-amz-access-token': null },
    change: withToken(),
  }))

const expired = (expiresAt: number, now: number) =>
  denied('The access token has expired.', `Tokens are valid for one hour. ${REMEDY}`, () => ({
    rule: 'An access token is valid for one hour, by the clock of the marketplace.',
    facts: { expiredAt: new Date(expiresAt), now: new Date(now) },
    change: withToken(),
  }))

const REMEDY = 'Get a new one from POST /auth/o2/token with grant_type=refresh_token.'
const REFRESH_TOKEN = 'Atzr|'

const invalid = (token: string) =>
  denied(
    'The access token is revoked, malformed or invalid.',
    token.startsWith(REFRESH_TOKEN) ? `It is a refresh token. ${REMEDY}` : REMEDY,
    () => ({
      rule: 'The access token must be one that this marketplace issued and did not revoke. A reset or a restore without keepTokens forgets all tokens.',
      facts: { kind: kindOf(token), length: token.length },
      change: withToken(),
    }),
  )

const KINDS: Record<string, string> = {
  'Atza|': 'access token',
  [REFRESH_TOKEN]: 'refresh token',
  'Atz.sprdt|': 'restricted data token',
}
const kindOf = (token: string) =>
  Object.entries(KINDS).find(([prefix]) => token.startsWith(prefix))?.[1] ?? 'not a token of this API'
