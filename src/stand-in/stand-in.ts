import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { listQueues } from '../areas/notifications/index.ts'
import { openDocuments, type Platform } from '../composition/adapters.ts'
import { createService, migrateDatabase, type ServiceOptions } from '../composition/service.ts'
import { defaultPolicy, defaultWorker, IN_MEMORY, type WorkerOptions } from '../config/config.ts'
import { refuseOpenProxy } from '../config/options.ts'
import { demo, operatorKey, signingMasterSecret } from '../dev/demo/index.ts'
import { LocalQueue } from '../dev/local-queue.ts'
import type { ProxyThrough } from '../dev/proxy/pass-through.ts'
import { QueuePortError } from '../dev/queue-port-error.ts'
import { removeDatabase, removeDocuments, removeEventBusFiles } from '../dev/remove-files.ts'
import { VendorAccess } from '../dev/vendor-access.ts'
import { VendorLinks } from '../dev/vendor-links.ts'
import { Gate } from '../http/gate.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import type { DocumentStore } from '../platform/documents/port.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { createLogger, flushLogger, type Logger, type LoggerOptions } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Expanders } from '../platform/outbox/expander.ts'
import type { Souk, SoukOptions } from '../public-types.ts'
import type { Background } from '../worker/background.ts'
import { openBackground } from '../worker/open-background.ts'
import { createActClient } from './act-client.ts'
import { explainOpenError, openLocked, parseDatabase } from './open-locked.ts'

/** The options of `startSouk`, and those of Souk's own commands and tests. */
export interface StandInOptions extends Omit<SoukOptions, 'messaging' | 'proxyThrough'> {
  proxyThrough?: ProxyThrough
  logger?: Logger
  /** What an in-memory database contains at the start. */
  databaseImage?: Uint8Array
  extraRoutes?: ServiceOptions['extraRoutes']
  messaging?: Partial<MessagingSettings>
  /** Replaces the folder of the documents. */
  documentStore?: DocumentStore
  worker?: Partial<WorkerOptions>
  /** Replaces the expanders of internal events. Without effect on a worker in a thread. */
  expanders?: Expanders
  timeouts?: ServiceOptions['timeouts']
  docsFolder?: string
}

export interface StandIn extends Souk {
  /** Sends a request without a socket. */
  inject(request: InjectOptions): Promise<LightMyRequestResponse>
}

// The local queue checks no credentials, but the SQS client refuses to send without any.
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }

const LOOPBACK = '127.0.0.1'

const silent: LoggerOptions = { level: 'silent', pretty: false }

/** Starts a stand-in marketplace in this process. */
export async function startStandIn(options: StandInOptions = {}): Promise<StandIn> {
  refuseOpenProxy(options)
  const { port = 0, clock = new SystemClock(), ids = new RandomIds(), delay = 0 } = options
  const host = toAddress(options.host)
  const databaseConfig = parseDatabase(options.database ?? IN_MEMORY, options.databaseImage)
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
  const vendorLinks = new VendorLinks()
  const publicUrl = () => vendorLinks.origin() ?? options.publicUrl ?? url
  const gate = new Gate()
  let background: Background | undefined
  let isWakeRequested = false
  const wake = () => {
    isWakeRequested = true
    background?.wake()
  }
  const localQueue = new LocalQueue({
    listQueues: () => database.read(listQueues),
    sellerApiUrl: publicUrl,
    otherEndpoint: options.messaging?.sqs?.endpoint,
  })
  const vendorAccess = new VendorAccess({
    folder: options.certificates,
    proxyThrough: options.proxyThrough ?? false,
    queue: localQueue,
    timeouts: options.timeouts,
    logger,
  })

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
        docs: true,
        signing,
        solicitations: { ...defaultPolicy, ...options.solicitations },
      },
      platform,
      {
        wakeWorker: wake,
        publicUrl,
        delayMilliseconds: delay,
        // With another queue service, its user creates the queues.
        standIn: { demo: options.demo ?? true, eventBusFile, ...(!options.messaging?.sqs && { localQueue }) },
        // First what the proxy forwards: a reset need not wait for other servers.
        extraRoutes: [vendorAccess.routes, gate.routes, vendorLinks.routes, ...(options.extraRoutes ?? [])],
        ...(options.timeouts && { timeouts: options.timeouts }),
        ...(options.docsFolder !== undefined && { docsFolder: options.docsFolder }),
      },
    )
    const stopService = async () => {
      await vendorAccess.close()
      await service.stop()
    }
    const stop = async () => {
      await gate.whenOpen()
      await stopService()
      await close()
    }
    const stopAndRethrow = async (error: unknown) => {
      await stopService()
      throw error
    }
    url = await service.app.listen({ host, port }).catch(stopAndRethrow)
    const queueUrl = await localQueue
      .listen(host, options.queuePort ?? 0)
      .catch((cause: unknown) => stopAndRethrow(new QueuePortError({ cause })))
    const tlsUrl = options.tls ? await vendorAccess.listen(host, options.tlsPort ?? 0).catch(stopAndRethrow) : undefined
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
        signing,
        log: options.log ?? silent,
        worker: { ...defaultWorker, delayMilliseconds: delay, ...options.worker },
        expanders: options.expanders,
      })
    background = await startBackground().catch(stopAndRethrow)
    // A request may have come before the worker was there.
    if (isWakeRequested) background.wake()

    return {
      url,
      queueUrl,
      tlsUrl,
      localAuthority: () => vendorAccess.localAuthority(),
      demo,
      demoLoadedAt: service.demoLoadedAt,
      clock,
      ...createActClient((path, payload) => service.app.inject({ method: 'POST', url: path, payload })),
      inject: (request) => service.app.inject(request),
      idle: async () => background?.idle(),
      reset: () =>
        gate.runExclusive(async () => {
          const stopped = background
          // Commits of earlier requests may still call wake.
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
    // The caller needs the first error, not one from closing.
    await close().catch(() => lock?.release())
    throw explainOpenError(error, databaseConfig)
  }
}

/**
 * For localhost, Fastify would open a second server for ::1, which is no proxy and which a stop does not wait for. Clients
 * that try ::1 first try 127.0.0.1 next.
 */
const toAddress = (host = LOOPBACK) => (host === 'localhost' ? LOOPBACK : host)
