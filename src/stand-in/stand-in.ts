import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listQueues } from '../areas/notifications/index.ts'
import { openDocuments, type Platform } from '../composition/adapters.ts'
import { createService, migrateDatabase, type Service, type StandInState } from '../composition/service.ts'
import { defaultPolicy, defaultWorker, IN_MEMORY } from '../config/config.ts'
import { refuseOpenProxy } from '../config/options.ts'
import { demoWith, newCredentials, publicCredentials, signingMasterSecret } from '../dev/demo/index.ts'
import { LocalQueue } from '../dev/local-queue.ts'
import { QueuePortError } from '../dev/queue-port-error.ts'
import { removeDatabase, removeDocuments, removeEventBusFiles } from '../dev/remove-files.ts'
import { createStateRoutes, type StateControl } from '../dev/state/routes.ts'
import { copyFiles } from '../dev/state/snapshot-files.ts'
import { SnapshotFolder } from '../dev/state/snapshot-folder.ts'
import { VendorAccess } from '../dev/vendor-access.ts'
import { VendorLinks } from '../dev/vendor-links.ts'
import { Gate } from '../http/gate.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { createLogger, flushLogger, type LoggerOptions } from '../platform/logging/logger.ts'
import type { MessagingSettings } from '../platform/messaging/messenger.ts'
import type { Background } from '../worker/background.ts'
import { openBackground } from '../worker/open-background.ts'
import { createActClient } from './act-client.ts'
import { forkOptions } from './fork-options.ts'
import { Forks, renderFork } from './forks.ts'
import { createLifeClient } from './life-client.ts'
import { explainOpenError, openLocked, parseDatabase } from './open-locked.ts'
import type { StandIn, StandInOptions } from './options.ts'
import { createState } from './state.ts'

export type { StandIn, StandInOptions }

// The local queue checks no credentials, but the SQS client refuses to send without any.
const LOCAL_CREDENTIALS = { accessKeyId: 'local', secretAccessKey: 'local' }

const LOOPBACK = '127.0.0.1'

const silent: LoggerOptions = { level: 'silent', pretty: false }

/** Starts a stand-in marketplace in this process. */
export async function startStandIn({
  copyOf,
  databaseImage = copyOf?.image,
  ...options
}: StandInOptions = {}): Promise<StandIn> {
  refuseOpenProxy(options)
  const { port = 0, clock = new SystemClock(), ids = new RandomIds(), delay = 0 } = options
  const host = toAddress(options.host)
  const databaseConfig = parseDatabase(options.database ?? IN_MEMORY)
  const credentials = copyOf ? newCredentials(ids) : publicCredentials
  const logger = options.logger ?? (await createLogger(options.log ?? silent))
  const documentsFolder = options.documents ?? join(tmpdir(), `souk-documents-${ids.next('upload')}`)
  const eventBusFile = options.eventBus ?? join(documentsFolder, 'event-bus.jsonl')
  const files = { documentsFolder, eventBusFile }
  const snapshotsFolder = options.snapshots ?? join(tmpdir(), `souk-snapshots-${ids.next('upload')}`)
  const isFile = databaseConfig.kind === 'sqlite' && databaseConfig.path !== IN_MEMORY
  const snapshots = new SnapshotFolder(snapshotsFolder, { isDurable: isFile })
  const removeFiles = () => {
    if (databaseConfig.kind === 'sqlite') removeDatabase(databaseConfig.path)
    removeDocuments(documentsFolder)
    removeEventBusFiles(eventBusFile)
  }
  const openOptions = { now: clock.now(), logger, image: databaseImage, ...(options.fresh && { removeFiles }) }
  const { database, lock } = await openLocked(databaseConfig, openOptions)
  const signing = { required: false, masterSecret: signingMasterSecret, fallbackSecrets: [], ...options.signing }
  let url = ''
  const vendorLinks = new VendorLinks()
  const publicUrl = () => vendorLinks.origin() ?? options.publicUrl ?? url
  const gate = new Gate()
  let background: Background | undefined
  let startWorker: (() => Promise<Background>) | undefined
  let pauseSweeps: Service['pauseSweeps'] | undefined
  let isWakeRequested = false
  const wake = () => {
    isWakeRequested = true
    background?.wake()
  }
  const runExclusive = <Result>(work: () => Promise<Result>) =>
    gate.runExclusive(async () => {
      const stopped = background
      // Commits of earlier requests may still call wake.
      background = undefined
      await stopped?.stop()
      const resumeSweeps = await pauseSweeps?.()
      const resumeQueue = await localQueue.pause()
      const restart = async () => {
        resumeQueue()
        resumeSweeps?.()
        background = await startWorker?.()
      }
      let result: Result
      try {
        result = await work()
      } catch (error) {
        // The caller needs the first error.
        await restart().catch((err: unknown) => logger.error({ err }, 'the worker did not start'))
        throw error
      }
      await restart()
      return result
    })
  const localQueue = new LocalQueue({
    database,
    clock,
    ids,
    logger,
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
    if (options.snapshots === undefined) rmSync(snapshotsFolder, { recursive: true, force: true })
    await flushLogger(logger)
  }
  try {
    await migrateDatabase(database, clock)
    if (copyOf) copyFiles(copyOf.files, files)
    const documentsOptions = { publicUrl, signing, clock, ids }
    const documents = options.documentStore
      ? { store: options.documentStore, sweeps: [] }
      : await openDocuments({ kind: 'file', folder: documentsFolder }, documentsOptions)
    const platform: Platform<VirtualClock> = { database, clock, ids, logger, documents }
    const forks = new Forks((copy) => startStandIn(forkOptions(options, logger, copy)))
    const state = createState({
      database,
      clock,
      files,
      snapshots,
      serviceState: () => service.state as StandInState,
      runExclusive,
    })
    const control: StateControl = {
      ...state,
      now: () => clock.now(),
      listForks: () => forks.list(),
      fork: async ({ snapshot }) => {
        const { id, standIn } = await state.copy(snapshot, (copy) => forks.start(copy))
        return renderFork(id, standIn)
      },
      stopFork: (id) => forks.stop(id),
    }
    const service: Service = await createService(
      {
        operatorKey: credentials.operatorKey,
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
        standIn: {
          demo: options.demo ?? true,
          credentials,
          eventBusFile,
          ...(!options.messaging?.sqs && { localQueue }),
          ...(copyOf && { copiedAt: copyOf }),
        },
        hooks: [gate.routes],
        extraRoutes: [
          vendorAccess.routes,
          vendorLinks.routes,
          createStateRoutes(control),
          ...(options.extraRoutes ?? []),
        ],
        ...(options.timeouts && { timeouts: options.timeouts }),
        ...(options.docsFolder !== undefined && { docsFolder: options.docsFolder }),
      },
    )
    pauseSweeps = service.pauseSweeps
    const stopService = async () => {
      localQueue.stopPolls()
      await vendorAccess.close()
      await service.stop()
    }
    const stop = async () => {
      await forks.stopAll()
      await gate.whenOpen()
      await stopService()
      await close()
    }
    const stopAndRethrow = async (error: unknown) => {
      await stopService()
      throw error
    }
    // Earlier versions did not store queues.
    await localQueue.createQueues(await database.read(listQueues)).catch(stopAndRethrow)
    const listen = async () => {
      url = await service.app.listen({ host, port })
      const queueUrl = await localQueue.listen(host, options.queuePort ?? 0).catch((cause: unknown) => {
        throw new QueuePortError({ cause })
      })
      const tlsUrl = options.tls ? await vendorAccess.listen(host, options.tlsPort ?? 0) : undefined
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
      background = await startBackground()
      startWorker = startBackground
      return { queueUrl, tlsUrl }
    }
    // A reset must not start a second worker, so requests that come before there is one wait.
    const { queueUrl, tlsUrl } = await gate.runExclusive(listen).catch(stopAndRethrow)
    // The demo marketplace may have work.
    if (isWakeRequested) background?.wake()

    return {
      url,
      queueUrl,
      tlsUrl,
      localAuthority: () => vendorAccess.localAuthority(),
      demo: demoWith(credentials),
      demoLoadedAt: service.demoLoadedAt,
      clock,
      ...createActClient((path, payload) => service.app.inject({ method: 'POST', url: path, payload })),
      life: createLifeClient((method, path, payload) =>
        service.app.inject({ method, url: path, ...(payload && { payload }) }),
      ),
      inject: (request) => service.app.inject(request),
      idle: async () => background?.idle(),
      reset: (options) => state.reset(options),
      snapshot: async (name, { replace = true } = {}) => void (await state.takeSnapshot(name, { replace })),
      restore: (name) => state.restore(name),
      fork: async ({ snapshot } = {}) => (await state.copy(snapshot, (copy) => forks.start(copy))).standIn,
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
