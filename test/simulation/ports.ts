import { Readable } from 'node:stream'
import type { Database, Reader } from '../../src/platform/database/port.ts'
import { DatabaseUnavailableError } from '../../src/platform/database/port.ts'
import { DocumentReplacedError, type DocumentStore } from '../../src/platform/documents/port.ts'
import { UnavailableError } from '../../src/platform/errors/unavailable-error.ts'
import type { IdKind, Ids } from '../../src/platform/ids/port.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { AWS_LIMIT, type Message, type Messenger, type Target } from '../../src/platform/messaging/port.ts'
import type { CallOwner, Scheduler } from './scheduler.ts'

type Statement = (query: never, params: never) => Promise<never>

/** The database as one instance sees it. Each statement of a read and each transaction is a call. */
export function scheduledDatabase(database: Database, scheduler: Scheduler, owner: CallOwner): Database {
  const outage = () => new DatabaseUnavailableError('A simulated outage')
  const call = <Result>(name: string, effect: () => Promise<Result>) =>
    scheduler.call({ owner, dependency: 'database', name, outage }, effect)
  const statement = (method: 'all' | 'first') => (query: never, params: never) =>
    call('read', () => database.read((reader: Reader) => (reader[method] as unknown as Statement)(query, params)))
  const reader = { all: statement('all'), first: statement('first') } as unknown as Reader
  return {
    dialect: database.dialect,
    readLarge: (work) => work(reader),
    read: (work) => work(reader),
    peek: () => undefined,
    transact: (work, options) => call('transact', () => database.transact(work, options)),
    transactSchema: (work) => database.transactSchema(work),
    alterOnline: (work) => database.alterOnline(work),
    checkWritable: () => call('checkWritable', () => database.checkWritable()),
    clear: () => database.clear(),
    replace: (work) => database.replace(work),
    close: async () => {},
  }
}

interface StoredBytes {
  bytes: Buffer
  version: number
  modifiedAt: Date
}

/** All documents, in memory. Clients read and write it directly, as they would a bucket. */
export class Bucket {
  readonly #documents = new Map<string, StoredBytes>()
  #versions = 0

  put(key: string, bytes: Buffer, now: Date): void {
    this.#documents.set(key, { bytes, version: ++this.#versions, modifiedAt: now })
  }
  find = (key: string): StoredBytes | undefined => this.#documents.get(key)
  delete = (key: string) => this.#documents.delete(key)
}

export const SCHEME = 'bucket:'

export function scheduledDocuments(
  bucket: Bucket,
  now: () => Date,
  scheduler: Scheduler,
  owner: CallOwner,
): DocumentStore {
  const outage = () => new UnavailableError('A simulated outage of the document store')
  const call = <Result>(name: string, effect: () => Result) =>
    scheduler.call({ owner, dependency: 'documents', name, outage }, async () => effect())
  return {
    async put(key, source, signal) {
      // Reading the source makes calls of its own, so only the end of the upload is one.
      const chunks: Uint8Array[] = []
      for await (const chunk of source) chunks.push(chunk)
      signal?.throwIfAborted()
      const bytes = Buffer.concat(chunks)
      await call(`put ${key}`, () => bucket.put(key, bytes, now()))
      return { bytes: bytes.length }
    },
    get: (key, range, version) =>
      call(`get ${key}`, () => {
        const found = bucket.find(key)
        if (!found) return undefined
        if (version !== undefined && version !== String(found.version)) throw new DocumentReplacedError()
        const part = range ? found.bytes.subarray(range.first, range.last + 1) : found.bytes
        return { bytes: found.bytes.length, modifiedAt: found.modifiedAt, content: Readable.from([part]) }
      }),
    head: (key) =>
      call(`head ${key}`, () => {
        const found = bucket.find(key)
        return found && { bytes: found.bytes.length, modifiedAt: found.modifiedAt }
      }),
    version: (key) =>
      call(`version ${key}`, () => {
        const found = bucket.find(key)
        return found && String(found.version)
      }),
    delete: (key) => call(`delete ${key}`, () => void bucket.delete(key)),
    presignGet: async (key) => `${SCHEME}${key}`,
    presignPut: async (key) => `${SCHEME}${key}`,
  }
}

/** What arrived at queues and buses, in order. */
export interface Arrival {
  target: Target
  message: Message
}

export function scheduledMessenger(arrivals: Arrival[], scheduler: Scheduler, owner: CallOwner): Messenger {
  const outage = () => new UnavailableError('A simulated outage of the queue')
  return {
    limitOf: () => AWS_LIMIT,
    send: (target, messages) =>
      scheduler.call({ owner, dependency: 'messages', name: `send ${messages.length}`, outage }, async () => {
        arrivals.push(...messages.map((message) => ({ target, message })))
        return []
      }),
    close() {},
  }
}

/** Ids in the order of creation, with the formats that clients send back. */
export class SimulatedIds implements Ids {
  readonly #ids = new SequentialIds()
  #ordered = 0

  next(kind: IdKind): string {
    if (kind === 'asin') return `B0${String(++this.#ordered).padStart(8, '0')}`
    if (kind === 'event' || kind === 'message') return `${kind}-${String(++this.#ordered).padStart(9, '0')}`
    return this.#ids.next(kind)
  }
}
