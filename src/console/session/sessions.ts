import { timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { CONSOLE_HEADER, headerOf } from '../../http/console-header.ts'
import { findConsoleAccount } from '../../marketplace/accounts/console-accounts.ts'
import { denied } from '../../platform/auth/caller.ts'
import { digest, markOf } from '../../platform/auth/digest.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Reader } from '../../platform/database/port.ts'
import { ApiError } from '../../platform/errors/api-error.ts'
import { createSessionCookie } from './cookie.ts'
import { findSession, noteUse, type StoredSession } from './session-store.ts'

const HOUR = 3_600_000
const MAX_IDLE_HOURS = 8
export const MAX_SESSION_HOURS = 24
/** A write for each request would be too many. */
const NOTE_USE_AFTER_MILLISECONDS = 60_000

export interface SessionsDependencies {
  database: Database
  clock: Clock
  /** The URL by which users reach the service. */
  publicUrl: () => string
  operatorKeyDigests: readonly string[]
}

/** A user who is signed in. */
export interface Session {
  tokenDigest: string
  /** Proves that a request comes from our own page, which alone can read it. */
  csrfToken: string
  role: 'operator' | 'seller'
  /** Names the user: by the account, or by the mark of the operator key. */
  user: string
  accountName?: string
  sellerId?: string
}

export type Sessions = ReturnType<typeof createSessions>

/**
 * Finds the session of a request. The database is asked for each one, so that a session that was ended is over in all
 * processes.
 */
export function createSessions({ database, clock, publicUrl, operatorKeyDigests }: SessionsDependencies) {
  const cookie = createSessionCookie(publicUrl)
  return {
    cookie,

    /** Throws if a page of another site sent the request. */
    requireOwnPage({ headers }: FastifyRequest): void {
      const { origin, host } = headers
      if (origin === undefined) return
      const page = URL.parse(origin)
      if (page && (page.origin === URL.parse(publicUrl())?.origin || page.host === host)) return
      throw denied('A web page of another site must not use the console.')
    },

    find,

    /** Throws unless the request has a session, and comes from its page. */
    async require(request: FastifyRequest): Promise<Session> {
      this.requireOwnPage(request)
      const session = await find(request)
      if (!session) throw notSignedIn()
      if (!isEqual(headerOf(request, CONSOLE_HEADER) ?? '', session.csrfToken)) {
        throw denied(`The header ${CONSOLE_HEADER} does not have the csrfToken of the session.`)
      }
      return session
    },
  }

  async function find(request: FastifyRequest): Promise<Session | undefined> {
    const token = cookie.tokenIn(request)
    if (token === undefined) return undefined
    const now = clock.now()
    const found = await database.read(async (reader) => {
      const stored = await findSession(reader, digest(token))
      const user = stored && !isOver(stored, now) ? await findUser(reader, stored) : undefined
      return stored && user && { stored, user }
    })
    if (!found) return undefined
    const { stored, user } = found
    const { tokenDigest, lastUsedAt } = stored
    if (now.getTime() - lastUsedAt.getTime() >= NOTE_USE_AFTER_MILLISECONDS) {
      await database.transact((tx) => noteUse(tx, tokenDigest, now))
    }
    return { ...user, tokenDigest, csrfToken: csrfTokenOf(token) }
  }

  /** Undefined if the account was changed or the key is no longer one. */
  async function findUser(reader: Reader, { account: used, keyMark }: StoredSession) {
    if (!used) {
      const keyDigest = operatorKeyDigests.find((one) => keyMarkOf(one) === keyMark)
      return keyDigest === undefined ? undefined : { role: 'operator' as const, user: userOfKey(keyDigest) }
    }
    const account = await findConsoleAccount(reader, used.name)
    if (!account || account.isDisabled || account.generation !== used.generation) return undefined
    const { name: accountName, role, sellerId } = account
    return { accountName, user: userOfAccount(accountName), role, ...(sellerId !== undefined && { sellerId }) }
  }
}

export const notSignedIn = () =>
  new ApiError('NotSignedIn', 'No user is signed in.', 'Sign in with POST /console/v1/session.')

/** Derived, so that it need not be stored. It does not reveal the token. */
export const csrfTokenOf = (token: string): string => digest(`csrf ${token}`)

const userOfAccount = (name: string): string => `console:${name}`
const userOfKey = (keyDigest: string): string => `console:key:${markOf(keyDigest)}`

export const keyMarkOf = (keyDigest: string): string => digest(`console ${keyDigest}`)

const isOver = ({ createdAt, lastUsedAt }: StoredSession, now: Date): boolean =>
  hoursBetween(createdAt, now) >= MAX_SESSION_HOURS || hoursBetween(lastUsedAt, now) >= MAX_IDLE_HOURS

const hoursBetween = (from: Date, to: Date) => (to.getTime() - from.getTime()) / HOUR

function isEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
