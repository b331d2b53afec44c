import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../../../src/composition/adapters.ts'
import { migrateDatabase } from '../../../src/composition/migrations.ts'
import { createSignIn } from '../../../src/console/session/sign-in.ts'
import {
  deleteConsoleAccount,
  insertConsoleAccount,
  updateConsoleAccount,
} from '../../../src/marketplace/accounts/console-accounts.ts'
import { PasswordHasher } from '../../../src/platform/auth/password.ts'
import { ManualClock } from '../../../src/platform/clock/manual-clock.ts'
import type { Database, Transaction } from '../../../src/platform/database/port.ts'
import { SequentialIds } from '../../../src/platform/ids/sequential-ids.ts'
import { testDatabaseUrl, testDialect } from '../../support/databases.ts'

const clock = new ManualClock('2026-06-01T12:00:00Z')
const ids = new SequentialIds()
const cost = { N: 16, r: 8, p: 1 }
let database: Database

beforeAll(async () => {
  const url = await testDatabaseUrl()
  database = await openDatabase(
    testDialect === 'postgres' ? { kind: 'postgres', url, poolSize: 5 } : { kind: 'sqlite', path: url },
  )
  await migrateDatabase(database, clock)
})
afterAll(() => database.close())

/** Runs a change of accounts as soon as a password was verified. */
class InterruptedHasher extends PasswordHasher {
  readonly #change: (tx: Transaction) => Promise<unknown>

  constructor(change: (tx: Transaction) => Promise<unknown>) {
    super(cost)
    this.#change = change
  }

  override async inTurn<Result>(work: Parameters<PasswordHasher['inTurn']>[0]): Promise<Result> {
    const result = await super.inTurn(work)
    await database.transact(this.#change)
    return result as Result
  }
}

async function insert(tx: Transaction, name: string, password: string) {
  const passwordHash = await new PasswordHasher(cost).hash(password, ids.next('salt'))
  const createdAt = clock.now().toISOString()
  await insertConsoleAccount(tx, { name, role: 'operator', isDisabled: false, createdAt, passwordHash })
}

const signInWith = (name: string, password: string) => (passwords: PasswordHasher) =>
  createSignIn({ database, clock, ids, passwords, operatorKeyDigests: [] })({
    credentials: { name, password },
    address: '192.0.2.1',
    previousToken: undefined,
  })

test.each<[string, string, (tx: Transaction) => Promise<unknown>]>([
  ['deleted', 'ali', (tx) => deleteConsoleAccount(tx, 'ali')],
  [
    'deleted and created again',
    'bea',
    async (tx) => {
      await deleteConsoleAccount(tx, 'bea')
      await insert(tx, 'bea', 'another password')
    },
  ],
  ['disabled', 'cem', (tx) => updateConsoleAccount(tx, 'cem', { isDisabled: true })],
])('a sign-in to an account that is %s meanwhile begins no session', async (_how, name, change) => {
  await database.transact((tx) => insert(tx, name, 'the password'))
  const signIn = signInWith(name, 'the password')
  expect(await signIn(new PasswordHasher(cost))).toMatchObject({ session: { accountName: name } })
  await expect(signIn(new InterruptedHasher(change))).rejects.toMatchObject({ code: 'Unauthorized' })
})

test('a locked client takes no place in the queue of passwords that are verified', async () => {
  const passwords = new PasswordHasher(cost)
  const signIn = signInWith('unknown', 'wrong password')
  for (let number = 0; number < 5; number++) {
    await expect(signIn(passwords)).rejects.toMatchObject({ code: 'Unauthorized' })
  }
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const queue = Array.from({ length: 52 }, () => passwords.inTurn(() => opened))
  await expect(signIn(passwords)).rejects.toMatchObject({ code: 'QuotaExceeded' })
  const other = signInWith('another', 'wrong password')
  await expect(other(passwords)).rejects.toMatchObject({ code: 'ServiceUnavailable' })
  open()
  await Promise.all(queue)
})
