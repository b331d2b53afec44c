import { BoundedMap } from '../bounded-map.ts'
import type { Clock } from '../clock/port.ts'
import type { Database } from '../database/port.ts'
import { type Caller, denied } from './caller.ts'
import { digest } from './digest.ts'
import { loadToken, type StoredToken } from './token-store.ts'

const LONGEST_TOKEN = 2048
const TOKENS_CACHED = 10_000
// How long another process may go on honouring a token after it was revoked. This process forgets it at once.
const RECHECK_AFTER_MILLISECONDS = 10_000

interface CachedToken extends StoredToken {
  recheckAt: number
}

/** Says who an access token speaks for. */
export class TokenVerifier {
  readonly #database: Database
  readonly #clock: Clock
  readonly #cache = new BoundedMap<string, CachedToken>(TOKENS_CACHED)

  constructor(database: Database, clock: Clock) {
    this.#database = database
    this.#clock = clock
  }

  async verify(token: string | undefined): Promise<Caller> {
    if (!token) throw denied('The access token is missing: send it in the header x-amz-access-token.')
    if (token.length > LONGEST_TOKEN) throw invalid()
    // Looked up by digest, so what an attacker can learn from the time it takes is of no use for making a token.
    const tokenDigest = digest(token)
    const now = this.#clock.now().getTime()
    let known = this.#cache.get(tokenDigest)
    if (!known || known.recheckAt <= now) {
      const stored = await this.#database.read((reader) => loadToken(reader, tokenDigest))
      if (!stored) {
        this.#cache.delete(tokenDigest)
        throw invalid()
      }
      known = { ...stored, recheckAt: now + RECHECK_AFTER_MILLISECONDS }
      this.#cache.set(tokenDigest, known)
    }
    if (known.expiresAt.getTime() <= now) throw denied('The access token has expired.')
    return known.caller
  }

  /** Called after a revocation: every token is looked up anew. */
  forget(): void {
    this.#cache.clear()
  }
}

const invalid = () => denied('The access token is revoked, malformed or invalid.')
