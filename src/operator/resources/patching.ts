import type { Database, Reader, Transaction, TransactionOptions } from '../../platform/database/port.ts'

/** Changes a resource. Returns it as stored, or undefined if it does not exist. */
export type Patch<Key, Resource> = (key: Key, change: (before: Resource) => Resource) => Promise<Resource | undefined>

export interface PatchOptions<Key, Resource> {
  /** What can be changed of the resource. Default: all. */
  toPatchable?: (before: Resource) => Resource
  /** Of a transaction that is not serializable: locks the resource before it is read. */
  lock?: (tx: Transaction, key: Key) => Promise<unknown>
  transaction?: TransactionOptions
}

/** Reads, changes and writes a resource in one transaction, so that of two patches at the same time none is lost. */
export const createPatching =
  (database: Database) =>
  <Key, Resource>(
    find: (reader: Reader, key: Key) => Promise<Resource | undefined>,
    put: (tx: Transaction, after: Resource, before: Resource) => Promise<void>,
    { toPatchable = (before) => before, lock, transaction }: PatchOptions<Key, Resource> = {},
  ): Patch<Key, Resource> =>
  (key, change) =>
    database.transact(async (tx) => {
      await lock?.(tx, key)
      const before = await find(tx, key)
      if (before === undefined) return undefined
      await put(tx, change(toPatchable(before)), before)
      return find(tx, key)
    }, transaction)
