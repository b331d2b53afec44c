import {
  type ConsoleAccount,
  deleteConsoleAccount,
  findConsoleAccount,
  insertConsoleAccount,
  listConsoleAccounts,
  type StoredConsoleAccount,
  updateConsoleAccount,
} from '../../marketplace/accounts/console-accounts.ts'
import { unknownSellers } from '../../marketplace/accounts/sellers.ts'
import type { PasswordHasher } from '../../platform/auth/password.ts'
import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import type { Ids } from '../../platform/ids/port.ts'
import { type PageQuery, readPage } from '../../platform/paging.ts'

export interface ConsoleAccountDependencies {
  database: Database
  clock: Clock
  ids: Ids
  passwords: PasswordHasher
}

export interface NewConsoleAccount extends Pick<ConsoleAccount, 'name' | 'role' | 'sellerId'> {
  password: string
}

export type ConsoleAccountOperations = ReturnType<typeof createConsoleAccountOperations>

/** The users of the web console, besides those with the operator key. */
export function createConsoleAccountOperations({ database, clock, ids, passwords }: ConsoleAccountDependencies) {
  return {
    async createConsoleAccount({ password, ...input }: NewConsoleAccount): Promise<ConsoleAccount> {
      const { name, role, sellerId } = input
      if ((role === 'seller') !== (sellerId !== undefined)) {
        throw invalidParameter('sellerId', role === 'seller' ? 'is required for a seller' : 'is for sellers only')
      }
      const passwordHash = await passwords.hash(password, ids.next('salt'))
      const account = { ...input, isDisabled: false, createdAt: clock.now().toISOString() }
      await database.transact(async (tx) => {
        if (sellerId !== undefined && (await unknownSellers(tx, [sellerId])).size > 0) {
          throw invalidParameter('sellerId', 'does not exist')
        }
        if (await insertConsoleAccount(tx, { ...account, passwordHash })) return
        throw new ApiError('Conflict', 'The console account already exists.', `There is an account ${name}.`)
      })
      return account
    },

    async findConsoleAccount(name: string): Promise<ConsoleAccount> {
      const account = await database.read((reader) => findConsoleAccount(reader, name))
      if (!account) throw notFound()
      return render(account)
    },

    async listConsoleAccounts(query: PageQuery) {
      const list = (page: Parameters<typeof listConsoleAccounts>[1]) =>
        database.read((reader) => listConsoleAccounts(reader, page))
      const { items, ...next } = await readPage(query, 1, list, ({ name }) => [name])
      return { consoleAccounts: items.map(render), ...next }
    },

    async setPassword(name: string, password: string): Promise<void> {
      await update(name, { passwordHash: await passwords.hash(password, ids.next('salt')) })
    },

    async setDisabled(name: string, isDisabled: boolean): Promise<ConsoleAccount> {
      await update(name, { isDisabled })
      return this.findConsoleAccount(name)
    },

    async deleteConsoleAccount(name: string): Promise<void> {
      if (!(await database.transact((tx) => deleteConsoleAccount(tx, name)))) throw notFound()
    },
  }

  async function update(name: string, change: Parameters<typeof updateConsoleAccount>[2]): Promise<void> {
    if (!(await database.transact((tx) => updateConsoleAccount(tx, name, change)))) throw notFound()
  }
}

const render = ({ passwordHash: _hash, generation: _generation, ...account }: StoredConsoleAccount): ConsoleAccount =>
  account

const notFound = () => new ApiError('NotFound', 'The console account was not found.')
