import type { DocumentStore } from '../platform/documents/port.ts'

/** What owns documents and is deleted with them when its time is over. */
export interface Expired<Item> {
  /** The oldest first, without the first `skip` of them. */
  find(limit: number, skip: number): Promise<Item[]>
  documentsOf(item: Item): readonly string[]
  delete(items: readonly Item[]): Promise<void>
}

const ITEMS_PER_STEP = 100
// The store is unavailable, or does not let us delete anything at all.
const MAX_FAILURES_IN_A_ROW = 20

/**
 * Deletes what is expired, in small steps. An item with a document that cannot be deleted is left for the next time and
 * holds up no other; the sweep fails with that error at its end. Answers how many items were deleted.
 */
export async function sweepDocuments<Item>(
  documents: Pick<DocumentStore, 'delete'>,
  expired: Expired<Item>,
  signal: AbortSignal,
): Promise<number> {
  let swept = 0
  let failures = 0
  let failuresInARow = 0
  let lastError: unknown
  // A store that takes seconds for each document must not hold up the end of the process.
  const isOver = () => signal.aborted || failuresInARow >= MAX_FAILURES_IN_A_ROW
  for (let isLast = false; !isLast && !isOver(); ) {
    const items = await expired.find(ITEMS_PER_STEP, failures)
    isLast = items.length < ITEMS_PER_STEP
    const deleted: Item[] = []
    for (const item of items) {
      if (isOver()) break
      try {
        // Documents first: a crash in between leaves a row that finds them again, not a document that nobody knows.
        for (const key of expired.documentsOf(item)) await documents.delete(key)
        deleted.push(item)
        failuresInARow = 0
      } catch (error) {
        lastError = error
        failures++
        failuresInARow++
      }
    }
    if (deleted.length > 0) await expired.delete(deleted)
    swept += deleted.length
  }
  if (failures > 0) throw lastError
  return swept
}
