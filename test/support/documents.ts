import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFauxqs } from 'fauxqs'
import { vi } from 'vitest'
import { createDocumentRoutes } from '../../src/http/documents.ts'
import { createEdge } from '../../src/http/edge.ts'
import type { Timeouts } from '../../src/http/timeouts.ts'
import { ManualClock } from '../../src/platform/clock/manual-clock.ts'
import { FileDocumentStore } from '../../src/platform/documents/file-document-store.ts'
import type { DocumentStore } from '../../src/platform/documents/port.ts'
import { SequentialIds } from '../../src/platform/ids/sequential-ids.ts'
import { createLogger } from '../../src/platform/logging/logger.ts'
import { MemoryThrottle } from '../../src/platform/throttle/memory-throttle.ts'
import { checkResponses } from './response-check.ts'

export const MAX_UPLOAD_BYTES = 25 * 1024 * 1024

/** Documents in a new folder, and a server for their signed URLs. */
export async function startFileDocuments(timeouts: Partial<Timeouts> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'souk-documents-'))
  const clock = new ManualClock('2026-06-01T12:00:00.000Z')
  const ids = new SequentialIds()
  let url = ''
  const store = new FileDocumentStore({ folder, publicUrl: () => url, signingSecret: 'a-secret', clock, ids })
  const edge = await createEdge({
    clock,
    ids,
    logger: await createLogger({ level: 'silent', pretty: false }),
    throttle: new MemoryThrottle(clock),
    rates: 'off',
    authentication: {
      verifyToken: () => {
        throw new Error('Documents take no tokens')
      },
      operatorKeyDigests: [],
    },
    checkDatabase: async () => {},
    timeouts,
    routes: [checkResponses, createDocumentRoutes({ store, maxUploadBytes: MAX_UPLOAD_BYTES })],
  })
  url = await edge.listen({ host: '127.0.0.1', port: 0 })
  return {
    store,
    folder,
    clock,
    url,
    async stop() {
      await edge.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function startS3Documents() {
  // Imported lazily, as in the service, because it is slow.
  const { S3DocumentStore } = await import('../../src/platform/documents/s3-document-store.ts')
  const s3 = await startFauxqs({ port: 0, logger: false })
  s3.createBucket('documents')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIATEST').stubEnv('AWS_SECRET_ACCESS_KEY', 'a-secret')
  const store = new S3DocumentStore({
    bucket: 'documents',
    prefix: 'souk/test',
    endpoint: `http://127.0.0.1:${s3.port}`,
    region: 'us-east-1',
    forcePathStyle: true,
  })
  return {
    store,
    async stop() {
      store.close()
      await s3.stop()
      vi.unstubAllEnvs()
    },
  }
}

interface DocumentStoreKind {
  start(): Promise<{ store: DocumentStore; clock?: ManualClock; stop(): Promise<void> }>
  /** What this store cannot test, and why. */
  cannotShow: { labels?: string; signatures?: string; time?: string }
}

/** Every kind of document store, empty, for the suites that run on all of them. */
export const documentStoreKinds: Record<string, DocumentStoreKind> = {
  'in a folder': { start: startFileDocuments, cannotShow: {} },
  'in S3': {
    start: startS3Documents,
    cannotShow: {
      labels: 'fauxqs ignores response-content-type and response-content-encoding',
      signatures: 'fauxqs verifies no signature',
      time: 'a real S3 has its own time, so addresses are signed with the real one',
    },
  },
}
