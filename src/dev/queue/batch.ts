import type { Input } from './input.ts'
import { missingParameter, QueueError } from './queue-error.ts'

const MAX_ENTRIES = 10
const ID = /^[A-Za-z0-9_-]{1,80}$/

export interface BatchEntry {
  id: string
  input: Input
}

export interface BatchResult {
  Successful: object[]
  Failed: object[]
}

export function parseEntries(input: Input): BatchEntry[] {
  const structures = input.structures('Entries')
  if (structures.length === 0) {
    throw new QueueError('EmptyBatchRequest', 'There should be at least one entry in the request.')
  }
  if (structures.length > MAX_ENTRIES) {
    const message = `Maximum number of entries per request are ${MAX_ENTRIES}. You have sent ${structures.length}.`
    throw new QueueError('TooManyEntriesInBatchRequest', message)
  }
  const entries = structures.map((entry) => ({ id: parseId(entry), input: entry }))
  const duplicate = entries.find(({ id }, index) => entries.findIndex((entry) => entry.id === id) < index)
  if (duplicate) throw new QueueError('BatchEntryIdsNotDistinct', `Id ${duplicate.id} repeated.`)
  return entries
}

function parseId(entry: Input): string {
  const id = entry.text('Id')
  if (id === undefined) throw missingParameter('Id')
  if (ID.test(id)) return id
  throw new QueueError(
    'InvalidBatchEntryId',
    'A batch entry id can only contain alphanumeric characters, hyphens and underscores. It can be at most 80 letters long.',
  )
}

/** Parses each entry on its own: an invalid one fails, and the others succeed. */
export function parseEach<Parsed>(
  entries: readonly BatchEntry[],
  parse: (input: Input) => Parsed,
): (Parsed | QueueError)[] {
  return entries.map(({ input }) => {
    try {
      return parse(input)
    } catch (error) {
      if (error instanceof QueueError) return error
      throw error
    }
  })
}

/** The results are in the order of the entries. */
export function renderBatch(entries: readonly BatchEntry[], results: readonly (object | QueueError)[]): BatchResult {
  const batch: BatchResult = { Successful: [], Failed: [] }
  for (const [index, result] of results.entries()) {
    const Id = entries[index]?.id
    if (result instanceof QueueError) {
      const { kind, isSenderFault, message } = result
      batch.Failed.push({ Id, SenderFault: isSenderFault, Code: kind.code, Message: message })
    } else {
      batch.Successful.push({ Id, ...result })
    }
  }
  return batch
}
