import { sql } from 'kysely'
import type { Reader, Transaction } from '../../platform/database/port.ts'
import { prepare, queryBuilder } from '../../platform/database/query.ts'
import { isBefore } from '../../platform/database/tuples.ts'
import type { PageRequest } from '../../platform/paging.ts'
import type { AuditTables } from './tables.ts'

/** What an operator did, without what the request contained. */
export interface AuditEntry {
  auditId: string
  occurredAt: Date
  actor: string
  operation: string
  target: string
  status: number
  requestId: string
}

const db = queryBuilder<AuditTables>()
type Row = AuditTables['audit_log']
const KEY = ['occurred_at', 'audit_id'] as const

const insert = prepare((row: Row) => db.insertInto('audit_log').values({ ...row }))

export async function insertAuditEntry(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.run(insert, {
    occurred_at: entry.occurredAt.toISOString(),
    audit_id: entry.auditId,
    actor: entry.actor,
    operation: entry.operation,
    target: entry.target,
    status: entry.status,
    request_id: entry.requestId,
  })
}

export interface AuditFilter {
  actor?: string | undefined
  operation?: string | undefined
  from?: Date | undefined
  /** Exclusive. */
  to?: Date | undefined
}

/** Newest first. */
export async function listAuditEntries(
  reader: Reader,
  { actor, operation, from, to, after, limit }: PageRequest & AuditFilter,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit_log').selectAll().limit(limit)
  for (const column of KEY) query = query.orderBy(column, 'desc')
  if (actor !== undefined) query = query.where('actor', '=', actor)
  if (operation !== undefined) query = query.where('operation', '=', operation)
  if (from) query = query.where('occurred_at', '>=', from.toISOString())
  if (to) query = query.where('occurred_at', '<', to.toISOString())
  if (after) query = query.where(isBefore(KEY, after))
  return (await reader.all(query)).map(fromRow)
}

export const auditKeyOf = ({ occurredAt, auditId }: AuditEntry): string[] => [occurredAt.toISOString(), auditId]

export async function deleteAuditEntriesBefore(tx: Transaction, before: Date, limit: number): Promise<number> {
  const old = db
    .selectFrom('audit_log')
    .select([...KEY])
    .where('occurred_at', '<', before.toISOString())
    .orderBy('occurred_at')
    .limit(limit)
  return tx.run(db.deleteFrom('audit_log').where(sql<boolean>`(occurred_at, audit_id) in ${old}`))
}

const fromRow = (row: Row): AuditEntry => ({
  auditId: row.audit_id,
  occurredAt: new Date(row.occurred_at),
  actor: row.actor,
  operation: row.operation,
  target: row.target,
  status: row.status,
  requestId: row.request_id,
})
