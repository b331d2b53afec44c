import { type Static, Type } from 'typebox'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepareLookup, queryBuilder } from '../../platform/database/query.ts'
import type { PageRequest } from '../../platform/paging.ts'
import { SellerId } from '../schema.ts'
import type { AccountTables } from './tables.ts'

export const ConsoleAccountName = Type.String({
  pattern: '^[a-z0-9][a-z0-9._@+-]{0,99}$',
  description: 'Name for the sign-in: lowercase letters, digits and `._@+-`',
})

/** A user of the web console. */
export const ConsoleAccount = Type.Object({
  name: ConsoleAccountName,
  role: Type.Enum(['operator', 'seller']),
  sellerId: Type.Optional(SellerId),
  isDisabled: Type.Boolean(),
  createdAt: Type.String({ format: 'date-time' }),
})
export type ConsoleAccount = Static<typeof ConsoleAccount>

/** With what only a sign-in needs. */
export interface StoredConsoleAccount extends ConsoleAccount {
  passwordHash: string
  /** Sessions are valid for one generation of their account. */
  generation: number
}

const db = queryBuilder<AccountTables>()
type Row = AccountTables['console_accounts']

const byName = prepareLookup((params: { name: string }) =>
  db.selectFrom('console_accounts').selectAll().where('name', '=', params.name),
)

/** Returns false if there is an account with this name. */
export async function insertConsoleAccount(
  tx: Transaction,
  { name, role, sellerId, isDisabled, createdAt, passwordHash }: Omit<StoredConsoleAccount, 'generation'>,
): Promise<boolean> {
  const row: Row = {
    name,
    role,
    seller_id: sellerId ?? null,
    password_hash: passwordHash,
    is_disabled: Number(isDisabled),
    generation: 1,
    created_at: createdAt,
  }
  const insert = db
    .insertInto('console_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
  return (await tx.run(insert)) === 1
}

export async function findConsoleAccount(reader: Reader, name: string): Promise<StoredConsoleAccount | undefined> {
  const row = await reader.first(byName, { name })
  return row && fromRow(row)
}

export async function listConsoleAccounts(reader: Reader, page: PageRequest): Promise<StoredConsoleAccount[]> {
  let query = db.selectFrom('console_accounts').selectAll().orderBy('name').limit(page.limit)
  if (page.after) query = query.where('name', '>', page.after[0] as string)
  return (await reader.all(query)).map(fromRow)
}

/** Changes an account and ends its sessions. Returns false if there is none. */
export async function updateConsoleAccount(
  tx: Transaction,
  name: string,
  { passwordHash, isDisabled }: { passwordHash?: string; isDisabled?: boolean },
): Promise<boolean> {
  const query = db
    .updateTable('console_accounts')
    .set((eb) => ({
      ...(passwordHash !== undefined && { password_hash: passwordHash }),
      ...(isDisabled !== undefined && { is_disabled: Number(isDisabled) }),
      generation: eb('generation', '+', 1),
    }))
    .where('name', '=', name)
  return (await tx.run(query)) === 1
}

/** Deletes an account and its sessions. Returns false if there is none. */
export async function deleteConsoleAccount(tx: Transaction, name: string): Promise<boolean> {
  return (await tx.run(db.deleteFrom('console_accounts').where('name', '=', name))) === 1
}

const fromRow = (row: Row): StoredConsoleAccount => ({
  name: row.name,
  role: row.role as ConsoleAccount['role'],
  ...(row.seller_id !== null && { sellerId: row.seller_id }),
  isDisabled: Number(row.is_disabled) === 1,
  createdAt: row.created_at,
  passwordHash: row.password_hash,
  generation: Number(row.generation),
})
