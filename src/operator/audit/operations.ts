import type { Clock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import type { Ids } from '../../platform/ids/port.ts'
import { type PageQuery, readPage } from '../../platform/paging.ts'
import { inSteps, type Sweep } from '../../platform/sweeps.ts'
import {
  type AuditEntry,
  type AuditFilter,
  auditKeyOf,
  deleteAuditEntriesBefore,
  insertAuditEntry,
  listAuditEntries,
} from './store.ts'

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000
const KEY_PARTS = 2

export interface AuditDependencies {
  database: Database
  clock: Clock
  ids: Ids
}

export type AuditOperations = ReturnType<typeof createAuditOperations>

export function createAuditOperations({ database, clock, ids }: AuditDependencies) {
  return {
    async record(action: Omit<AuditEntry, 'auditId' | 'occurredAt'>): Promise<void> {
      const entry = { ...action, auditId: ids.next('auditEntry'), occurredAt: clock.now() }
      await database.transact((tx) => insertAuditEntry(tx, entry))
    },

    async listAudit({ pageSize, pageToken, ...filter }: PageQuery & AuditFilter) {
      const { items, ...next } = await readPage(
        { pageSize, pageToken },
        KEY_PARTS,
        (page) => database.read((reader) => listAuditEntries(reader, { ...filter, ...page })),
        auditKeyOf,
      )
      return {
        audit: items.map(({ occurredAt, ...entry }) => ({ ...entry, occurredAt: occurredAt.toISOString() })),
        ...next,
      }
    },
  }
}

export const createOldAuditSweep = (retentionDays: number): Sweep => ({
  name: 'old entries of the audit log',
  sweep({ database, clock }, signal) {
    const before = new Date(clock.now().getTime() - retentionDays * DAY_MILLISECONDS)
    return inSteps({ database, signal }, (tx, limit) => deleteAuditEntriesBefore(tx, before, limit))
  },
})
