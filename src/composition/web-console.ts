import { type ConsoleDependencies, createConsole } from '../console/index.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import { packageFile } from '../platform/package-files.ts'
import { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import type { Platform } from './adapters.ts'
import { version } from './version.ts'

export interface WebConsoleOptions
  extends Pick<ConsoleDependencies, 'passwords' | 'operatorKeyDigests' | 'publicUrl' | 'findDenial'> {
  /** Default: that of the package. */
  folder: string | undefined
}

export const createWebConsole = (
  { database, clock, ids, documents }: Platform,
  { folder = packageFile('dist/console'), ...options }: WebConsoleOptions,
) =>
  createConsole({
    database,
    clock,
    ids,
    version,
    folder,
    documentOrigin: createDocumentOrigin(documents.store, options.publicUrl),
    throttle: new MemoryThrottle(new SystemClock()),
    ...options,
  })

/** The origin of signed URLs, if it is not the service's own. Signing sends no request, so one URL is signed to learn it. */
function createDocumentOrigin(store: DocumentStore, publicUrl: () => string): () => Promise<string | undefined> {
  let known: string | undefined
  return async () => {
    if (known === undefined) {
      const url = await store.presignGet('origin', { contentType: 'text/plain' }).catch(() => undefined)
      known = url && new URL(url).origin
    }
    return known === new URL(publicUrl()).origin ? undefined : known
  }
}
