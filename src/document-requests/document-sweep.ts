import type { Database, Reader, Transaction } from '../platform/database/port.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Sweep } from '../platform/sweeps.ts'

/** Rows that own documents and are deleted with them once they have expired. */
export interface ExpiringRows<Row> {
  name: string
  /** Rows created before this time have expired. */
  expiryOf(now: Date): Date
  /** Oldest first, without the first `skip` rows. */
  find(reader: Reader, before: Date, page: { limit: number; skip: number }): Promise<Row[]>
  documentKeysOf(row: Row): readonly string[]
  /**
   * Deletes what belongs to a row and may be too much for the statement that deletes the row. Can stop early once the signal
   * is aborted.
   */
  deleteParts?(database: Database, row: Row, signal: AbortSignal): Promise<void>
  delete(tx: Transaction, rows: readonly Row[]): Promise<void>
}

const ROWS_PER_STEP = 100
// The store is unavailable, or does not allow deletions.
const MAX_CONSECUTIVE_FAILURES = 20

/**
 * Deletes expired rows with their documents, in small steps. A row with a document or part that cannot be deleted is skipped
 * until the next sweep and does not block others; the sweep then fails with that error at its end.
 */
export function createDocumentSweep<Row>(documents: Pick<DocumentStore, 'delete'>, rows: ExpiringRows<Row>): Sweep {
  return {
    name: rows.name,
    async sweep({ database, clock }, signal) {
      let swept = 0
      let failures = 0
      let consecutiveFailures = 0
      let lastError: unknown
      // A store that takes seconds per document must not delay the shutdown.
      const isOver = () => signal.aborted || consecutiveFailures >= MAX_CONSECUTIVE_FAILURES
      for (let isLast = false; !isLast && !isOver(); ) {
        const page = { limit: ROWS_PER_STEP, skip: failures }
        const expired = await database.read((reader) => rows.find(reader, rows.expiryOf(clock.now()), page))
        isLast = expired.length < ROWS_PER_STEP
        const deleted: Row[] = []
        for (const row of expired) {
          if (isOver()) break
          try {
            // Documents first: after a crash in between, the row is still there to find them again.
            for (const key of rows.documentKeysOf(row)) await documents.delete(key)
            await rows.deleteParts?.(database, row, signal)
            if (signal.aborted) break
            deleted.push(row)
            consecutiveFailures = 0
          } catch (error) {
            lastError = error
            failures++
            consecutiveFailures++
          }
        }
        if (deleted.length > 0) await database.transact((tx) => rows.delete(tx, deleted))
        swept += deleted.length
      }
      if (failures > 0) throw lastError
      return swept
    },
  }
}
