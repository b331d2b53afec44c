import { expect, test } from 'vitest'
import { ManualClock } from '../clock/manual-clock.ts'
import { migrate } from '../database/migrate.ts'
import { SqliteDatabase } from '../database/sqlite-database.ts'
import { extendTokens, findExpiringTokens, storeToken } from './token-store.ts'

const HOUR = 3_600_000
const now = new Date('2026-06-01T12:00:00.000Z')
const caller = { kind: 'seller', applicationId: 'app', sellerId: 'A1' } as const
const tokens = {
  name: 'tokens',
  statements: () => [
    `create table access_tokens (token_digest text primary key, application_id text not null, delegatee_id text,
      seller_id text, scopes text not null, restricted_to text, expires_at text not null)`,
  ],
}

test('all tokens that are valid expire later, each once, however many there are', async () => {
  const database = new SqliteDatabase(':memory:')
  await migrate(database, [tokens], new ManualClock(now))
  const COUNT = 10_500
  // Several pages have one time, and an extension of a minute leads into those of others.
  const expiryOf = (index: number) => new Date(now.getTime() + 60_000 * (1 + Math.floor(index / 2_500)))
  await database.transact(async (tx) => {
    for (let index = 0; index < COUNT; index++)
      await storeToken(tx, `digest-${index}`, { caller, expiresAt: expiryOf(index) })
    await storeToken(tx, 'expired', { caller, expiresAt: now })
  })
  for (const milliseconds of [60_000, HOUR]) await database.transact((tx) => extendTokens(tx, now, milliseconds))
  const extended = await database.read((reader) => findExpiringTokens(reader, new Date(0), COUNT + 1))
  const wrong = extended.filter(({ digest, expiresAt }) => {
    const before = digest === 'expired' ? now.getTime() - 60_000 - HOUR : expiryOf(Number(digest.slice(7))).getTime()
    return expiresAt.getTime() !== before + 60_000 + HOUR
  })
  expect([extended.length, wrong.length]).toEqual([COUNT + 1, 0])
  await database.close()
})
