import type { Metric } from '../metrics/port.ts'
import { TimedCalls } from '../metrics/timed.ts'
import type { DocumentStore } from './port.ts'

/** The same store, with the time that its calls take. That of `get` ends with the first byte. */
export function measureDocumentStore(store: DocumentStore): { store: DocumentStore; metrics: readonly Metric[] } {
  const help = 'Time that calls of the document store took, by operation and result'
  const calls = new TimedCalls('souk_document_store_duration_seconds', help, 'operation')
  const measured: DocumentStore = {
    put: (...args) => calls.run('put', () => store.put(...args)),
    get: (...args) => calls.run('get', () => store.get(...args)),
    head: (key) => calls.run('head', () => store.head(key)),
    version: (key) => calls.run('version', () => store.version(key)),
    delete: (key) => calls.run('delete', () => store.delete(key)),
    // Signed without a call to the store.
    presignGet: (...args) => store.presignGet(...args),
    presignPut: (...args) => store.presignPut(...args),
    close: () => store.close?.(),
  }
  return { store: measured, metrics: [calls.metric] }
}
