import type { Database, Reader, Transaction } from '../../platform/database/port.ts'

/** Changes a resource. Returns it as stored, or undefined if it does not exist. */
export type Patch<Key, Resource> = (key: Key, change: (before: Resource) => Resource) => Promise<Resource | undefined>

/** Reads, changes and writes a resource in one transaction, so that of two patches at the same time none is lost. */
export const createPatching =
  (database: Database) =>
  <Key, Resource>(
    find: (reader: Reader, key: Key) => Promise<Resource | undefined>,
    put: (tx: Transaction, after: Resource, before: Resource) => Promise<void>,
    toPatchable: (before: Resource) => Resource = (before) => before,
  ): Patch<Key, Resource> =>
  (key, change) =>
    database.transact(async (tx) => {
      const before = await find(tx, key)
      if (before === undefined) return undefined
      await put(tx, change(toPatchable(before)), before)
      return find(tx, key)
    })
