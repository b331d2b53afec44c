import { expect, test } from 'vitest'
import { ManualClock } from '../clock/manual-clock.ts'
import { migrate } from '../database/migrate.ts'
import type { Database } from '../database/port.ts'
import { SqliteDatabase } from '../database/sqlite-database.ts'
import { digest } from './digest.ts'
import { revokeSellerTokens, storeToken } from './token-store.ts'
import { TokenVerifier } from './token-verifier.ts'

const clock = new ManualClock('2026-06-01T12:00:00Z')
const caller = { kind: 'seller', applicationId: 'app', sellerId: 'A1' } as const

/** The table of tokens, as the migrations leave it. */
const tokens = {
  name: 'tokens',
  statements: () => [
    `create table access_tokens (token_digest text primary key, application_id text not null, delegatee_id text,
      seller_id text, scopes text not null, restricted_to text, expires_at text not null)`,
  ],
}

test('a token read before its revocation is not cached after it', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrate(database, [tokens], clock)
  const expiresAt = new Date('2026-06-01T13:00:00Z')
  await database.transact((tx) => storeToken(tx, digest('token'), { caller, expiresAt }))

  const read = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  /** A database whose first result is delayed until the test releases it. */
  const slow: Pick<Database, 'read'> = {
    async read(work) {
      const result = await database.read(work)
      read.resolve()
      await resume.promise
      return result
    },
  }
  const verifier = new TokenVerifier(slow as Database, clock)
  const early = verifier.verify('token')
  await read.promise
  await database.transact((tx) => revokeSellerTokens(tx, 'app', 'A1'))
  verifier.clearCache()
  resume.resolve()
  // The request started before the revocation, so it may pass. The next request may not.
  expect(await early).toEqual(caller)
  await expect(Promise.resolve().then(() => verifier.verify('token'))).rejects.toMatchObject({ code: 'Unauthorized' })
  await database.close()
})

test('a token that another process revoked is refused after ten seconds, also if the clock is set back', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrate(database, [tokens], clock)
  const expiresAt = new Date('2026-06-01T13:00:00Z')
  const own = new ManualClock('2026-06-01T12:00:00Z')
  for (const moved of [10_000, -3_600_000]) {
    await database.transact((tx) => storeToken(tx, digest(`token ${moved}`), { caller, expiresAt }))
    const verifier = new TokenVerifier(database, own)
    expect(await verifier.verify(`token ${moved}`)).toEqual(caller)
    await database.transact((tx) => revokeSellerTokens(tx, 'app', 'A1'))
    own.advance(moved)
    const verified = Promise.resolve().then(() => verifier.verify(`token ${moved}`))
    await expect(verified).rejects.toMatchObject({ code: 'Unauthorized' })
  }
  await database.close()
})
