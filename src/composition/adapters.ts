import {
  ConfigError,
  type DatabaseConfig,
  type DocumentsConfig,
  type QuotaConfig,
  type SigningConfig,
  type TracingConfig,
} from '../config/config.ts'
import { createDocumentRoutes } from '../http/documents.ts'
import type { Routes } from '../http/route.ts'
import { signingSecret } from '../platform/auth/signing-keys.ts'
import type { Clock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import type { Ids } from '../platform/ids/port.ts'
import type { Logger } from '../platform/logging/logger.ts'
import type { Metric } from '../platform/metrics/port.ts'
import type { Sweep } from '../platform/sweeps.ts'
import { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import type { Throttle } from '../platform/throttle/port.ts'
import { SharedThrottle } from '../platform/throttle/shared-throttle.ts'
import type { Tracer } from '../platform/tracing/port.ts'

/** The adapters that a service runs on. */
export interface Platform<C extends Clock = Clock> {
  database: Database
  clock: C
  ids: Ids
  logger: Logger
  documents: Documents
  /** Absent if traces are not exported. */
  tracer?: Tracer | undefined
  /** Of the adapters. */
  metrics?: readonly Metric[]
}

/** A document store with its routes and sweeps. */
export interface Documents {
  store: DocumentStore
  /** Present if the service itself serves the store's signed URLs. */
  createRoutes?(uploads: Uploads): Routes
  sweeps: readonly Sweep[]
}

/** The rules for uploads that the service receives itself. */
export interface Uploads {
  maxBytes: number
  renderResponse(key: string, url: string): object | undefined
}

/** Imports the adapter on demand, so that a process loads only the one it uses. */
export async function openDatabase(
  config: DatabaseConfig,
  logger?: Logger,
  { image, tracer }: { image?: Uint8Array | undefined; tracer?: Tracer | undefined } = {},
): Promise<Database> {
  if (config.kind === 'sqlite') {
    const { SqliteDatabase } = await import('../platform/database/sqlite-database.ts')
    return new SqliteDatabase(config.path, { logger, image })
  }
  const { PostgresDatabase } = await import('../platform/database/postgres-database.ts')
  return new PostgresDatabase({ ...config, logger, tracer })
}

export interface DocumentsOptions {
  /** The URL by which sellers reach the service. */
  publicUrl: () => string
  signing: Pick<SigningConfig, 'masterSecret' | 'fallbackSecrets'>
  clock: Clock
  ids: Ids
  /** Of documents in a folder: see `requireDocumentFolder`. */
  isFolderMarked?: boolean
}

/** Imports the adapter on demand: the S3 client is large. */
export async function openDocuments(
  config: DocumentsConfig,
  { publicUrl, signing, clock, ids, isFolderMarked = false }: DocumentsOptions,
): Promise<Documents> {
  if (config.kind === 's3') {
    const { S3DocumentStore } = await import('../platform/documents/s3-document-store.ts')
    const { bucket, prefix, endpoint, region, deadlines } = config
    const store = new S3DocumentStore({
      bucket,
      prefix,
      ...(endpoint && { endpoint }),
      ...(region && { region }),
      ...(deadlines && { deadlines }),
      forcePathStyle: endpoint !== undefined,
    })
    // Without a region every call would fail, so fail at start.
    if (!(await store.hasRegion())) {
      store.close()
      throw new ConfigError(
        'SOUK_S3_REGION is not set, and neither AWS_REGION nor an AWS profile names a region: set it to that of the bucket, or to us-east-1 where SOUK_S3_ENDPOINT is not of AWS.',
      )
    }
    return { store, sweeps: [] }
  }
  const { FileDocumentStore } = await import('../platform/documents/file-document-store.ts')
  const { createAbandonedUploadSweep } = await import('../platform/documents/retention.ts')
  const deriveSecret = (masterSecret: string) => signingSecret(masterSecret, 'documents')
  const store = new FileDocumentStore({
    folder: config.folder,
    publicUrl,
    signingSecret: deriveSecret(signing.masterSecret),
    fallbackSecrets: signing.fallbackSecrets.map(deriveSecret),
    clock,
    ids,
    isMarked: isFolderMarked,
  })
  return {
    store,
    createRoutes: ({ maxBytes, renderResponse }) =>
      createDocumentRoutes({
        store,
        maxUploadBytes: maxBytes,
        renderUploadResponse: (key, path) => renderResponse(key, publicUrl() + path),
      }),
    sweeps: [createAbandonedUploadSweep(store)],
  }
}

/** Quotas of several processes. */
export interface Quotas {
  throttle: Throttle
  metrics: readonly Metric[]
  close(): void
}

/** Imports the client of the server on demand. The server may be unavailable: then each process counts on its own. */
export async function openQuotas(
  { url, timeoutMilliseconds, processes }: QuotaConfig,
  { clock, logger }: { clock: Clock; logger: Logger },
): Promise<Quotas> {
  const own = new MemoryThrottle(clock)
  if (!url) return { throttle: new SharedThrottle({ own, processes }), metrics: [], close: () => {} }
  const { QuotaServer } = await import('../platform/throttle/quota-server.ts')
  const server = new QuotaServer({ url, timeoutMilliseconds, logger })
  await server.ready
  const throttle = new SharedThrottle({ own, server, processes })
  return { throttle, metrics: throttle.metrics, close: () => server.close() }
}

/** Imports the exporter on demand. */
export async function openTracing(
  { url, headers, sampledRatio, serviceName }: TracingConfig,
  { ids, logger, name }: { ids: Ids; logger: Logger; name: string },
) {
  const { OtlpExporter } = await import('../platform/tracing/otlp-exporter.ts')
  const { OtlpTracer } = await import('../platform/tracing/otlp-tracer.ts')
  const exporter = new OtlpExporter({ url, headers, serviceName: serviceName ?? name, logger })
  const tracer: Tracer = new OtlpTracer({ exporter, ids, sampledRatio })
  return { tracer, metrics: [exporter.metric], close: () => exporter.close() }
}
