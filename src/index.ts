import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { listQueues } from './areas/notifications/index.ts'
import { openDatabase, openDocuments, type Platform } from './composition/adapters.ts'
import { createService, migrateDatabase, type ServiceOptions } from './composition/service.ts'
import { type Config, defaultPolicy, defaultWorker, IN_MEMORY, type WorkerOptions } from './config/config.ts'
import { checkOptions, soukOptionChecks } from './config/options.ts'
import { type Demo, demo, operatorKey, signingMasterSecret } from './dev/demo/index.ts'
import { LocalQueue } from './dev/local-queue.ts'
import { removeDatabase, removeDocuments, removeEventBusFiles } from './dev/remove-files.ts'
import { Gate } from './http/gate.ts'
import type { VirtualClock } from './platform/clock/port.ts'
import { SystemClock } from './platform/clock/system-clock.ts'
import { toDatabaseFileError } from './platform/database/database-file-errors.ts'
import type { DatabaseLock } from './platform/database/database-lock.ts'
import type { DocumentStore } from './platform/documents/port.ts'
import type { Ids } from './platform/ids/port.ts'
import { RandomIds } from './platform/ids/random-ids.ts'
import { createLogger, flushLogger, type Logger, type LoggerOptions } from './platform/logging/logger.ts'
import type { MessagingSettings } from './platform/messaging/messenger.ts'
import type { Expanders } from './platform/outbox/expander.ts'
import type { Rates } from './platform/throttle/limits.ts'
import type { Background } from './worker/background.ts'
import { openBackground } from './worker/open-background.ts'

export { ManualClock } from './platform/clock/manual-clock.ts'
export type { VirtualClock } from './platform/clock/port.ts'
export { DatabaseFileError, DatabaseInUseError, LockFileError } from './platform/database/database-file-errors.ts'
export type { Ids } from './platform/ids/port.ts'
export { SequentialIds } from './platform/ids/sequential-ids.ts'
export type { Demo }

export interface SoukOptions {
  /** A free port unless stated. */
  port?: number
  /** The local address to listen on: 127.0.0.1 unless stated. */
  host?: string
  /** The address that documents are to be fetched from, where it is not the one that is listened on. */
  publicUrl?: string
  /** In memory unless stated: the path of an SQLite file, or a `postgres://` address. */
  database?: string
  /** The folder of the documents: a temporary one unless stated. */
  documents?: string
  /** The port of the local queue: a free one unless stated. */
  queuePort?: number
  /** The file of the events for EventBridge: among the documents unless stated. */
  eventBus?: string
  /** Begin with new data: removes the database file, the events and those documents in the folder that Souk wrote. */
  fresh?: boolean
  clock?: VirtualClock
  ids?: Ids
  /** The documented quotas unless stated. */
  rates?: Rates
  /** How many milliseconds a job stays in each of its states at least: none unless stated. */
  delay?: number
  /** Whether the demo marketplace is there. It is unless declined. */
  demo?: boolean
  /** What is logged: nothing unless stated. */
  log?: LoggerOptions
  logger?: Logger
  signing?: Partial<Config['signing']>
  solicitations?: Partial<Config['solicitations']>
  /** For Souk's own tests. */
  extraRoutes?: ServiceOptions['extraRoutes']
  messaging?: Partial<MessagingSettings>
  /** Instead of the folder of the documents. */
  documentStore?: DocumentStore
  worker?: Partial<WorkerOptions>
  /** Replaces the expanders of internal events. For Souk's own tests; without effect on a worker in a thread. */
  expanders?: Expanders
  timeouts?: ServiceOptions['timeouts']
}

export interface Souk extends AsyncDisposable {
  url: string
  /** The address of the local queue service: the endpoint for an SQS client. */
  queueUrl: string
  /** Ids and credentials of the demo marketplace. */
  demo: Demo
  /** When the demo marketplace was loaded, if it is there: its dates are around that moment. */
  demoLoadedAt: Date | undefined
  clock: VirtualClock
  /** Answers a request without a socket. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
  /** Resolves when all background work that is due has been done: reports are made, for instance. */
  idle(): Promise<void>
  /**
   * Back to a new marketplace: demo data, clock, quotas and all. Waits for the requests that are being answered; those
   * that come meanwhile wait for it.
   */
  reset(): Promise<void>
  stop(): Promise<void>
}

// The local queue checks none, and clients send none without having some.
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }

/** The local queue could not have its port. */
export class QueuePortError extends Error {
  constructor(options: ErrorOptions) {
    super('The port of the local queue cannot be had', options)
    this.name = 'QueuePortError'
  }
}

const silent: LoggerOptions = { level: 'silent', pretty: false }

/** Starts a stand-in marketplace in this process. `souk dev` is this with a banner. */
export async function startSouk(options: SoukOptions = {}): Promise<Souk> {
  checkOptions(options, soukOptionChecks)
  const { host = '127.0.0.1', port = 0, clock = new SystemClock(), ids = new RandomIds(), delay = 0 } = options
  const databaseConfig = parseDatabase(options.database ?? IN_MEMORY)
  const logger = options.logger ?? (await createLogger(options.log ?? silent))
  const documentsFolder = options.documents ?? join(tmpdir(), `souk-documents-${ids.next('upload')}`)
  const eventBusFile = options.eventBus ?? join(documentsFolder, 'event-bus.jsonl')
  const removeFiles = () => {
    if (databaseConfig.kind === 'sqlite') removeDatabase(databaseConfig.path)
    removeDocuments(documentsFolder)
    removeEventBusFiles(eventBusFile)
  }
  const openOptions = { now: clock.now(), logger, ...(options.fresh && { removeFiles }) }
  const { database, lock } = await openLocked(databaseConfig, openOptions)
  const signing = { required: false, masterSecret: signingMasterSecret, fallbackSecrets: [], ...options.signing }
  let url = ''
  const publicUrl = () => options.publicUrl ?? url
  const gate = new Gate()
  let background: Background | undefined
  let isWakeRequested = false
  const wake = () => {
    isWakeRequested = true
    background?.wake()
  }
  const localQueue = new LocalQueue(() => database.read(listQueues), publicUrl)

  const close = async () => {
    await background?.stop()
    await localQueue.stop()
    await database.close()
    lock?.release()
    if (options.documents === undefined) rmSync(documentsFolder, { recursive: true, force: true })
    await flushLogger(logger)
  }
  try {
    await migrateDatabase(database, clock)
    const documentsOptions = { publicUrl, signing, clock, ids }
    const documents = options.documentStore
      ? { store: options.documentStore, sweeps: [] }
      : await openDocuments({ kind: 'file', folder: documentsFolder }, documentsOptions)
    const platform: Platform<VirtualClock> = { database, clock, ids, logger, documents }
    const service = await createService(
      {
        operatorKey,
        operatorKeyFallbacks: [],
        rates: options.rates ?? 'documented',
        signing,
        solicitations: { ...defaultPolicy, ...options.solicitations },
      },
      platform,
      {
        wakeWorker: wake,
        publicUrl,
        delayMilliseconds: delay,
        // Whoever sends to another queue service makes the queues there.
        standIn: { demo: options.demo ?? true, eventBusFile, ...(!options.messaging?.sqs && { localQueue }) },
        extraRoutes: [gate.routes, ...(options.extraRoutes ?? [])],
        ...(options.timeouts && { timeouts: options.timeouts }),
      },
    )
    const stop = async () => {
      await gate.whenOpen()
      await service.stop()
      await close()
    }
    const stopAndRethrow = async (error: unknown) => {
      await service.stop()
      throw error
    }
    url = await service.app.listen({ host, port }).catch(stopAndRethrow)
    const queueUrl = await localQueue
      .listen(host, options.queuePort ?? 0)
      .catch((cause: unknown) => stopAndRethrow(new QueuePortError({ cause })))
    lock?.noteAddress(url)
    const messaging: MessagingSettings = {
      sqs: { endpoint: queueUrl, credentials: LOCAL_CREDENTIALS, createsQueues: true },
      eventBridge: { file: eventBusFile },
      ...options.messaging,
    }
    const startBackground = () =>
      openBackground(platform, {
        database: databaseConfig,
        documentsFolder,
        messaging,
        log: options.log ?? silent,
        worker: { ...defaultWorker, delayMilliseconds: delay, ...options.worker },
        expanders: options.expanders,
      })
    background = await startBackground().catch(stopAndRethrow)
    // Somebody may have come before there was anybody to wake.
    if (isWakeRequested) background.wake()

    return {
      url,
      queueUrl,
      demo,
      demoLoadedAt: service.demoLoadedAt,
      clock,
      inject: (request) => service.app.inject(request),
      idle: async () => background?.idle(),
      reset: () =>
        gate.runExclusive(async () => {
          const stopped = background
          // What an answered request caused may wake it still.
          background = undefined
          await stopped?.stop()
          await service.reset()
          await localQueue.reset()
          removeDocuments(documentsFolder)
          removeEventBusFiles(eventBusFile)
          background = await startBackground()
        }),
      stop,
      [Symbol.asyncDispose]: stop,
    }
  } catch (error) {
    // What was thrown first is what the caller has to know.
    await close().catch(() => lock?.release())
    throw explainOpenError(error, databaseConfig)
  }
}

/** A database that is a file is kept for one stand-in at a time, and nothing of it is removed before. */
async function openLocked(
  config: Config['database'],
  { now, logger, removeFiles }: { now: Date; logger: Logger; removeFiles?: () => void },
) {
  let lock: DatabaseLock | undefined
  try {
    if (config.kind === 'sqlite' && config.path !== IN_MEMORY) {
      const { DatabaseLock } = await import('./platform/database/database-lock.ts')
      const { checkDatabaseFile } = await import('./platform/database/check-database-file.ts')
      lock = new DatabaseLock(config.path, now)
      removeFiles?.()
      checkDatabaseFile(config.path)
    }
    return { lock, database: await openDatabase(config, logger) }
  } catch (error) {
    lock?.release()
    throw explainOpenError(error, config)
  }
}

const explainOpenError = (error: unknown, config: Config['database']) =>
  config.kind === 'sqlite' ? toDatabaseFileError(error, config.path) : error

function parseDatabase(database: string): Config['database'] {
  if (/^postgres(ql)?:\/\//.test(database)) return { kind: 'postgres', url: database, poolSize: 10 }
  return { kind: 'sqlite', path: database }
}
