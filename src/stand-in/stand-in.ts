import { countListings } from '../areas/listings/index.ts'
import { countDeliveries, listQueues } from '../areas/notifications/index.ts'
import { openDocuments, type Platform } from '../composition/adapters.ts'
import { createKnownIds } from '../composition/known-ids.ts'
import { migrateDatabase } from '../composition/migrations.ts'
import { createService, type Service, type StandInState } from '../composition/service.ts'
import { version } from '../composition/version.ts'
import { DEFAULT_AUDIT_DAYS, defaultPolicy, IN_MEMORY, standInWorker } from '../config/config.ts'
import { refuseOpenProxy } from '../config/options.ts'
import { demoWith, newCredentials, publicCredentials, signingMasterSecret } from '../dev/demo/index.ts'
import { LocalQueue } from '../dev/local-queue.ts'
import { createOverview } from '../dev/overview/index.ts'
import { createProgressRoutes, ProgressReaders } from '../dev/progress/index.ts'
import { ReadingSwitches } from '../dev/readings/reading-switches.ts'
import { createReadingRoutes } from '../dev/readings/routes.ts'
import { removeDatabase, removeDocuments, removeEventBusFiles } from '../dev/remove-files.ts'
import { createRequestLog } from '../dev/requests/index.ts'
import { createSeedRoutes } from '../dev/seed/routes.ts'
import { CredentialsOfFork } from '../dev/state/fork-credentials.ts'
import { createStateRoutes } from '../dev/state/routes.ts'
import { copyFiles } from '../dev/state/snapshot-files.ts'
import { SnapshotFolder } from '../dev/state/snapshot-folder.ts'
import { VendorAccess } from '../dev/vendor-access.ts'
import { VendorLinks } from '../dev/vendor-links.ts'
import { Gate } from '../http/gate.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { SystemClock } from '../platform/clock/system-clock.ts'
import { RandomIds } from '../platform/ids/random-ids.ts'
import { createLogger, flushLogger, type LoggerOptions } from '../platform/logging/logger.ts'
import { openBackground } from '../worker/open-background.ts'
import { toAddress } from './address.ts'
import { createClients } from './clients.ts'
import { createCredentialList } from './credential-list.ts'
import { createStandInFaults } from './faults.ts'
import { chooseFolders } from './folders.ts'
import { forkOptions } from './fork-options.ts'
import { createForkControl, Forks } from './forks.ts'
import { explainOpenError, openLocked, parseDatabase } from './open-locked.ts'
import type { StandIn, StandInOptions } from './options.ts'
import { runPaused } from './run-paused.ts'
import { createSeedClient, IMPORT, openStartSeed } from './seeds.ts'
import { createState } from './state.ts'
import { createStateHooks } from './state-hooks.ts'
import { watchWork } from './watch-work.ts'
import { WorkerSwitch } from './worker-switch.ts'

export { QueuePortError } from '../dev/queue-port-error.ts'
export { TlsPortError } from '../dev/tls/tls-port-error.ts'
export type { StandIn, StandInOptions }

const silent: LoggerOptions = { level: 'silent', pretty: false }

/** Starts a stand-in marketplace in this process. */
export async function startStandIn({
  copyOf,
  databaseImage = copyOf?.image,
  ...options
}: StandInOptions = {}): Promise<StandIn> {
  refuseOpenProxy(options)
  const { port = 0, clock = new SystemClock(), ids = new RandomIds(), delay = 0 } = options
  const { seed, knownSecrets } = await openStartSeed(options, clock)
  const host = toAddress(options.host)
  const databaseConfig = parseDatabase(options.database ?? IN_MEMORY)
  const credentials = copyOf ? newCredentials(ids) : publicCredentials
  const forkCredentials = copyOf && new CredentialsOfFork({ ids, demo: credentials, ofSeeds: knownSecrets })
  const logger = options.logger ?? (await createLogger(options.log ?? silent))
  const { documentsFolder, eventBusFile, snapshotsFolder, removeTemporary } = chooseFolders(options)
  const files = { documentsFolder, eventBusFile }
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
  const readings = new ReadingSwitches(options.readings, options.currentReadings)
  const requestLog = createRequestLog({
    requests: options.requestLog,
    maxBodyBytes: options.maxLoggedBodyBytes,
    clock,
    controlUrl: () => options.publicUrl ?? url,
    listKnownIds: createKnownIds({ database, clock }),
    version,
  })
  const overview = createOverview({ database, clock, countDeliveries, countListings })
  const worker = new WorkerSwitch()
  let pauseSweeps: Service['pauseSweeps'] | undefined
  const pauseWork = async () => {
    await worker.stop()
    const resumeSweeps = await pauseSweeps?.()
    const resumeQueue = await localQueue.pause()
    return async () => {
      resumeQueue()
      resumeSweeps?.()
      await worker.restart()
    }
  }
  const runExclusive = <Result>(work: () => Promise<Result>) =>
    gate.runExclusive(() => runPaused(pauseWork, work, logger))
  const { progress, progressControl, settle } = watchWork({ gate, database, clock, background: () => worker.current })
  const progressReaders = new ProgressReaders(progressControl)
  const localQueue = new LocalQueue({
    database,
    clock,
    ids,
    logger,
    sellerApiUrl: publicUrl,
    otherEndpoint: options.messaging?.sqs?.endpoint,
    controlHost: options.controlHost,
  })
  const vendorAccess = new VendorAccess({
    folder: options.certificates,
    proxyThrough: options.proxyThrough ?? false,
    queue: localQueue,
    timeouts: options.timeouts,
    logger,
  })

  const close = async () => {
    await worker.stop()
    await localQueue.stop()
    await database.close()
    await snapshots.finished()
    lock?.release()
    removeTemporary()
    await flushLogger(logger)
  }
  try {
    if (copyOf) copyFiles(copyOf.files, files)
    // A copy has the schema of this version.
    else await migrateDatabase(database, clock)
    const documentsOptions = { publicUrl, signing, clock, ids }
    const documents = options.documentStore
      ? { store: options.documentStore, sweeps: [] }
      : await openDocuments({ kind: 'file', folder: documentsFolder }, documentsOptions)
    const platform: Platform<VirtualClock> = { database, clock, ids, logger, documents }
    const forks: Forks = new Forks((copy, forkNumber) => {
      const current = { forkFamily: forks.family, openedSeed: seed, currentReadings: { ...readings.current } }
      return startStandIn(forkOptions({ ...options, ...current, knownSecrets }, { logger, copyOf: copy, forkNumber }))
    }, options.forkFamily)
    const serviceState = () => service.state as StandInState
    const faults = createStandInFaults({ database, clock, ids, serviceState, wakeWorker: () => worker.wake() })
    const state = createState({
      database,
      clock,
      files,
      snapshots,
      serviceState,
      seedClock: seed?.clock,
      ...createStateHooks({ faults, readings, requestLog }),
      runExclusive: (work) => faults.rules.withoutWaits(() => runExclusive(work)),
    })
    const seeds = createSeedClient({ state, clock, progress, knownSecrets })
    const control = { ...state, ...createForkControl(forks, state), now: () => clock.now() }
    const service: Service = await createService(
      {
        operatorKey: credentials.operatorKey,
        operatorKeyFallbacks: [],
        rates: options.rates ?? 'documented',
        docs: true,
        console: true,
        auditDays: DEFAULT_AUDIT_DAYS,
        signing,
        solicitations: { ...defaultPolicy, ...options.solicitations },
        readings: readings.current,
      },
      platform,
      {
        wakeWorker: () => worker.wake(),
        publicUrl,
        delayMilliseconds: delay,
        standIn: {
          demo: !seed && (options.demo ?? true),
          ...(seed && { seed, reportSeed: (done, total) => options.onSeedProgress?.({ task: IMPORT, done, total }) }),
          credentials,
          forkCredentials,
          eventBusFile,
          controlHost: options.controlHost,
          isKept: databaseConfig.kind === 'postgres' || isFile,
          settle,
          due: [faults.due],
          // With another queue service, its user creates the queues.
          ...(!options.messaging?.sqs && { localQueue }),
          ...(copyOf && { copiedAt: copyOf }),
        },
        hooks: [faults.hooks, gate.routes, requestLog.hooks, overview.hooks],
        extraRoutes: [
          vendorAccess.routes,
          vendorLinks.routes,
          createStateRoutes(control),
          createSeedRoutes(seeds),
          createReadingRoutes(readings),
          faults.routes,
          createProgressRoutes(progressReaders),
          requestLog.routes,
          overview.routes,
          ...(options.extraRoutes ?? []),
        ],
        ...(options.timeouts && { timeouts: options.timeouts }),
        ...(options.docsFolder !== undefined && { docsFolder: options.docsFolder }),
        ...(options.consoleFolder !== undefined && { consoleFolder: options.consoleFolder }),
        ...(options.passwordCost && { passwordCost: options.passwordCost }),
        ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
      },
    )
    pauseSweeps = service.pauseSweeps
    const stopService = async () => {
      localQueue.stopPolls()
      await vendorAccess.close()
      await service.stop()
    }
    const stopAll = async () => {
      try {
        await forks.stopAll()
      } finally {
        await gate.whenOpen()
        await stopService()
        await close()
      }
    }
    let stopped: Promise<void> | undefined
    // Once: a stand-in of `await using` may also be stopped by its test.
    const stop = () => (stopped ??= faults.rules.withoutWaits(stopAll))
    const stopAndRethrow = async (error: unknown) => {
      await stopService()
      throw error
    }
    // Earlier versions did not store queues.
    await localQueue.createQueues(await database.read(listQueues)).catch(stopAndRethrow)
    const listen = async () => {
      url = await service.edge.listen({ host, port })
      const queueUrl = await localQueue.listen(host, options.queuePort ?? 0)
      const tlsUrl = options.tls ? await vendorAccess.listen(host, options.tlsPort ?? 0) : undefined
      lock?.noteAddress(url)
      if (copyOf || isFile) await faults.release()
      if (service.isNew) await state.keepInitial()
      const startBackground = () =>
        openBackground(platform, {
          database: databaseConfig,
          documentsFolder,
          messaging: { eventBridge: { file: eventBusFile }, ...options.messaging },
          notifyQueue: (name) => localQueue.notify(name),
          signing,
          log: options.log ?? silent,
          worker: { ...standInWorker, delayMilliseconds: delay, ...options.worker },
          expanders: options.expanders,
          faults: faults.rules,
        })
      await worker.start(startBackground)
      return { queueUrl, tlsUrl }
    }
    const listCredentials = createCredentialList({ credentials, forkCredentials, seed, gate, database, clock })
    // A reset must not start a second worker, so requests that come before there is one wait.
    const { queueUrl, tlsUrl } = await gate.runExclusive(listen).catch(stopAndRethrow)
    const startCredentials = await listCredentials()

    return {
      url,
      queueUrl,
      tlsUrl,
      localAuthority: () => vendorAccess.localAuthority(),
      demo: demoWith(credentials),
      get demoLoadedAt() {
        return service.demoLoadedAt
      },
      applications: startCredentials.applications,
      startCredentials,
      listCredentials,
      ...createClients(service.edge, { clock, requestLog, readings, progressReaders }),
      inject: (request) => service.edge.inject(request),
      idle: () => progressControl.idle(),
      reset: state.reset,
      snapshot: async (name, { replace = true } = {}) => void (await state.takeSnapshot(name, { replace })),
      restore: state.restore,
      export: seeds.exportSeed,
      import: seeds.importSeed,
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
