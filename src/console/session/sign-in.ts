import { findConsoleAccount, type StoredConsoleAccount } from '../../marketplace/accounts/console-accounts.ts'
import { denied } from '../../platform/auth/caller.ts'
import { digest, matchesDigest } from '../../platform/auth/digest.ts'
import type { PasswordHasher } from '../../platform/auth/password.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database, Transaction } from '../../platform/database/port.ts'
import { ApiError, invalidInput } from '../../platform/errors/api-error.ts'
import type { Ids } from '../../platform/ids/port.ts'
import {
  accountSubjects,
  findLock,
  forgetFailures,
  keySubject,
  networkSubject,
  recordFailure,
  type Subject,
} from './lock-out.ts'
import type { SignInBody } from './schema.ts'
import { deleteSession, insertSession, type StoredSession } from './session-store.ts'
import { csrfTokenOf, keyMarkOf, type Session } from './sessions.ts'

export interface SignInDependencies {
  database: Database
  clock: Clock
  ids: Ids
  passwords: PasswordHasher
  operatorKeyDigests: readonly string[]
}

export interface SignInAttempt {
  credentials: SignInBody
  /** The IP address of the client. */
  address: string
  /** The token of the session that the browser had before. */
  previousToken: string | undefined
}

export interface SignedIn {
  token: string
  session: Omit<Session, 'user'>
}

/** Begins sessions. */
export function createSignIn({ database, clock, ids, passwords, operatorKeyDigests }: SignInDependencies) {
  return async ({ credentials, address, previousToken }: SignInAttempt): Promise<SignedIn> => {
    const { name, password, operatorKey } = credentials
    if (operatorKey !== undefined) {
      if (name !== undefined || password !== undefined) {
        throw invalidInput('operatorKey', 'Send either name and password, or operatorKey.')
      }
      return signInWithKey(operatorKey, address, previousToken)
    }
    if (name === undefined) throw invalidInput('name', 'name is missing.')
    if (password === undefined) throw invalidInput('password', 'password is missing.')
    return signInWithPassword(name.trim().toLowerCase(), password, address, previousToken)
  }

  async function signInWithKey(key: string, address: string, previousToken: string | undefined): Promise<SignedIn> {
    const keyDigest = operatorKeyDigests.find((one) => matchesDigest(key, one))
    const subjects = [keySubject(address)]
    if (keyDigest === undefined) {
      await refuseLocked(subjects)
      return fail(subjects, 'The operator key is wrong.')
    }
    // The key is long and random, so it needs no limit on guesses, and no attacker can lock the operator out.
    const keyMark = keyMarkOf(keyDigest)
    return begin({ role: 'operator' }, previousToken, async () => ({ keyMark }))
  }

  async function signInWithPassword(
    name: string,
    password: string,
    address: string,
    previousToken: string | undefined,
  ): Promise<SignedIn> {
    const account = await database.read((reader) => findConsoleAccount(reader, name))
    const ofAccount = accountSubjects(name, account, address)
    const subjects = [...ofAccount, networkSubject(address)]
    // A locked client must not take the places of others in the queue.
    await refuseLocked(subjects)
    // A lock is looked up, and a failure recorded, in the turn of the attempt: of many at the same time, few get that far.
    await passwords.inTurn(async (verify) => {
      await refuseLocked(subjects)
      const isRight = await verify(password, account?.passwordHash)
      if (!isRight || account?.isDisabled) await fail(subjects, WRONG)
    })
    if (!account) throw denied(WRONG)
    const { generation, role, sellerId } = account
    const user = { accountName: name, role, ...(sellerId !== undefined && { sellerId }) }
    return begin(user, previousToken, async (tx) => {
      await requireUnchanged(tx, account)
      await forgetFailures(tx, ofAccount)
      return { account: { name, generation } }
    })
  }

  /** With a token of its own, so that a token that the browser had before, from wherever, is worth nothing. */
  async function begin(
    user: Pick<Session, 'role' | 'accountName' | 'sellerId'>,
    previousToken: string | undefined,
    prepare: (tx: Transaction) => Promise<Pick<StoredSession, 'account' | 'keyMark'>>,
  ): Promise<SignedIn> {
    const token = ids.next('consoleSession')
    const tokenDigest = digest(token)
    const now = clock.now()
    await database.transact(async (tx) => {
      if (previousToken !== undefined) await deleteSession(tx, digest(previousToken))
      await insertSession(tx, { tokenDigest, ...(await prepare(tx)), createdAt: now, lastUsedAt: now })
    })
    return { token, session: { ...user, tokenDigest, csrfToken: csrfTokenOf(token) } }
  }

  async function refuseLocked(subjects: readonly Subject[]): Promise<void> {
    const now = clock.now()
    const lockedUntil = await database.read((reader) => findLock(reader, subjects, now))
    if (!lockedUntil) return
    const minutes = Math.ceil((lockedUntil.getTime() - now.getTime()) / 60_000)
    throw new ApiError('QuotaExceeded', 'Too many failed sign-ins.', `Try again in ${minutes} minutes.`)
  }

  async function fail(subjects: readonly Subject[], details: string): Promise<never> {
    await database.transact((tx) => recordFailure(tx, subjects, clock.now()))
    throw denied(details)
  }
}

/**
 * The account may have been changed, or deleted and created again, since its password was verified. Each hash has a
 * salt of its own.
 */
async function requireUnchanged(tx: Transaction, verified: StoredConsoleAccount): Promise<void> {
  const { passwordHash, generation } = (await findConsoleAccount(tx, verified.name)) ?? {}
  if (passwordHash !== verified.passwordHash || generation !== verified.generation) throw denied(WRONG)
}

const WRONG = 'The name or the password is wrong.'
