import { listQueues } from '../areas/notifications/index.ts'
import { HELD } from '../dev/faults/index.ts'
import { createStandIn } from '../dev/index.ts'
import { createEdge } from '../http/edge.ts'
import { createJobOperations } from '../operator/background/job-operations.ts'
import { createOperatorApi } from '../operator/index.ts'
import { digest } from '../platform/auth/digest.ts'
import { PasswordHasher } from '../platform/auth/password.ts'
import { Sealer } from '../platform/auth/sealer.ts'
import { signingSecret } from '../platform/auth/signing-keys.ts'
import { expireToken, extendTokens } from '../platform/auth/token-store.ts'
import { TokenVerifier } from '../platform/auth/token-verifier.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import { createDueJobs } from '../platform/jobs/due.ts'
import { createJobQueue } from '../platform/jobs/job-queue.ts'
import { oncePerTick } from '../platform/once-per-tick.ts'
import { createOutbox } from '../platform/outbox/outbox.ts'
import { packageFile } from '../platform/package-files.ts'
import { createLimits } from '../platform/throttle/limits.ts'
import { MemoryThrottle } from '../platform/throttle/memory-throttle.ts'
import type { Platform } from './adapters.ts'
import { dueOf, jobsOf, routesOf } from './area.ts'
import { createAreas } from './areas.ts'
import { createCommonMetrics } from './metrics.ts'
import { createSeedPorts } from './seed-ports.ts'
import type { Service, ServiceConfig, ServiceOptions } from './service-types.ts'
import { createSecretKeyLookup } from './signing-secrets.ts'
import { startSweeps } from './sweeps.ts'
import { version } from './version.ts'
import { createWebConsole } from './web-console.ts'

export type { Service, ServiceOptions, StandInState } from './service-types.ts'

const MAX_FAILING_CLIENTS = 10_000

/** Connects areas, operator API and HTTP on a platform. */
export async function createService(
  config: ServiceConfig,
  platform: Platform<VirtualClock>,
  options: ServiceOptions,
): Promise<Service> {
  const { database, clock, ids, logger, documents } = platform
  const { wakeWorker = () => {}, publicUrl, delayMilliseconds = 0 } = options
  const tokens = new TokenVerifier(database, clock)
  const ownThrottle = new MemoryThrottle(clock)
  const throttle = options.quotas?.throttle ?? ownThrottle
  // Separate from quotas: any client can fail with any client id, and must not evict the buckets of callers.
  const failures = new MemoryThrottle(clock, MAX_FAILING_CLIENTS)
  const throttles = [ownThrottle, failures]
  const deriveSigningSecret = (accessKeyId: string) => signingSecret(config.signing.masterSecret, accessKeyId)
  const { localQueue, forkCredentials } = options.standIn ?? {}
  const outbox = createOutbox(
    ids,
    oncePerTick(() => notifications.subscriptions.mayHaveSubscribers() && wakeWorker()),
  )
  const jobs = createJobQueue(ids, options.wakeWorker)
  const areas = createAreas({
    database,
    clock,
    ids,
    logger,
    documents: documents.store,
    outbox,
    sealer: new Sealer(config.signing),
    jobs,
    limits: createLimits(throttle, config.rates),
    failureLimits: createLimits(failures, config.rates),
    wakeWorker,
    publicUrl,
    solicitations: config.solicitations,
    readings: config.readings,
    ...(forkCredentials && { digestSecret: (secret) => forkCredentials.digestOf(secret) }),
    delayMilliseconds,
    // For jobs, which only the worker runs.
    settlingMilliseconds: 0,
    async prepareTarget(target) {
      if (target.kind === 'sqs') await localQueue?.createQueues([target.arn])
    },
  })
  const { notifications, catalog, orders, competitorOffers, findListedSkus } = areas
  const acts = { database, clock, ids, orders, competitorOffers, findListedSkus }
  const standIn =
    options.standIn &&
    createStandIn({
      database,
      clock,
      extendTokens: (tx, milliseconds) => extendTokens(tx, clock.now(), milliseconds),
      tokensExtended: () => tokens.clearCache(),
      eventBusFile: options.standIn.eventBusFile,
      controlHost: options.standIn.controlHost,
      credentials: options.standIn.credentials,
      ...(forkCredentials && { forkCredentials }),
      hasDemo: options.standIn.demo,
      jobs,
      due: [createDueJobs(HELD), ...dueOf(areas.all), ...options.standIn.due],
      settle: options.standIn.settle,
      acts,
      publicUrl,
      seedPorts: createSeedPorts({
        areas,
        jobs,
        delayMilliseconds,
        prepareQueues: async () => localQueue?.createQueues(await database.read(listQueues)),
      }),
      ...(options.standIn.seed && { seed: options.standIn.seed }),
      ...(options.standIn.reportSeed && { reportSeed: options.standIn.reportSeed }),
    })
  const passwords = new PasswordHasher(options.passwordCost)
  const operatorKeyDigests = [config.operatorKey, ...config.operatorKeyFallbacks].map(digest)
  const operator = createOperatorApi({
    auditDays: config.auditDays,
    passwords,
    database,
    clock,
    ids,
    logger,
    outbox,
    catalog,
    competitorOffers,
    orders,
    acts,
    deliveries: notifications.deliveries,
    events: notifications.events,
    jobs: createJobOperations({ database, clock, wakeWorker, handlers: jobsOf(areas.all) }),
    signingSecret: deriveSigningSecret,
    clearTokenCache: () => tokens.clearCache(),
    dropNotifications: notifications.subscriptions.dropDeliveriesOf,
    applicationQueues: notifications.applications,
  })

  const webConsole =
    config.console &&
    createWebConsole(platform, {
      passwords,
      operatorKeyDigests,
      publicUrl,
      folder: options.consoleFolder,
      ...(standIn && { findDenial: standIn.findDenial }),
    })

  const edge = await createEdge({
    clock,
    ids,
    logger,
    throttle,
    rates: config.rates,
    authentication: {
      verifyToken: (token) => tokens.verify(token),
      operatorKeyDigests,
      ...(webConsole && { console: webConsole.authentication }),
    },
    ...(config.signing.required && { signing: { findSecretKeys: createSecretKeyLookup(platform, config.signing) } }),
    checkDatabase: () => database.checkWritable(),
    metrics: [
      ...createCommonMetrics({ ...platform, cacheMilliseconds: options.cacheMetricsMilliseconds }),
      ...(options.quotas?.metrics ?? []),
      ...(platform.metrics ?? []),
    ],
    // Most stand-ins are never asked for metrics, and measuring would delay their start.
    measuresProcess: standIn === undefined,
    sendsOwnDate: standIn !== undefined,
    metricsGroup: options.metricsGroup,
    tracer: platform.tracer,
    ...(config.docs && {
      docs: {
        version,
        folder: options.docsFolder ?? packageFile('dist/docs'),
        hasControlPlane: standIn !== undefined,
        ...(standIn && webConsole && { home: '/console/' }),
      },
    }),
    ...(options.timeouts && { timeouts: options.timeouts }),
    ...(options.maxConnections !== undefined && { maxConnections: options.maxConnections }),
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    routes: [
      ...(options.hooks ?? []),
      operator.hooks,
      ...(standIn ? [standIn.hooks] : []),
      ...routesOf(areas.all),
      operator.routes,
      ...(webConsole ? [webConsole.routes] : []),
      ...(documents.createRoutes ? [documents.createRoutes(areas.uploads)] : []),
      ...(standIn ? [standIn.routes] : []),
      ...(options.extraRoutes ?? []),
    ],
  })
  const copiedAt = options.standIn?.copiedAt
  if (copiedAt) await standIn?.adopt(copiedAt.time, copiedAt)
  else await standIn?.clock.restore()
  const stopFollowing = options.standIn?.isKept ? standIn?.clock.follow() : undefined
  const isSeedNew = await standIn?.seeds.ensure()
  const demo = options.standIn?.demo ? await standIn?.ensureDemo() : undefined
  let demoLoadedAt = demo?.loadedAt
  await notifications.subscriptions.checkForSubscribers()
  const sweeps = startSweeps(platform, areas.all, {
    others: [...operator.sweeps, ...(standIn?.sweeps ?? [])],
    startsLater: copiedAt !== undefined,
  })

  return {
    edge,
    get demoLoadedAt() {
      return demoLoadedAt
    },
    isNew: Boolean(isSeedNew || demo?.isNew),
    state: standIn && {
      async reset({ time, frozen } = {}) {
        await database.clear()
        forget()
        clock.reset()
        if (time) await standIn.clock.set(time, { frozen: frozen ?? clock.isFrozen })
        await standIn.reloadSeed()
        if (options.standIn?.demo) demoLoadedAt = (await standIn.ensureDemo(time)).loadedAt
        await notifications.subscriptions.checkForSubscribers()
        // Last, because loading takes time, and a seed may have a time of its own.
        if (time) await standIn.clock.set(time, { frozen: clock.isFrozen })
      },
      async replaceBySeed(seed, report) {
        await standIn.seeds.replace(seed, report).finally(forget)
        await notifications.subscriptions.checkForSubscribers()
        await standIn.seeds.prepareQueues()
        demoLoadedAt = undefined
      },
      export: (format) => standIn.seeds.export(format),
      async replaced(time, { frozen }) {
        forget()
        await standIn.clock.set(time, { frozen })
        demoLoadedAt = await standIn.findDemoTime()
        await notifications.subscriptions.checkForSubscribers()
      },
      flush: () => operator.flush(),
      saveQuotas: () => throttles.map((one) => one.save()),
      loadQuotas(quotas) {
        for (const [index, one] of throttles.entries()) one.load(quotas[index] ?? {})
      },
      async expireToken(token) {
        await database.transact((tx) => expireToken(tx, digest(token), clock.now()))
        tokens.clearCache()
        return (await tokens.verify(token)) as never
      },
    },
    pauseSweeps: () => sweeps.pause(),
    async stop() {
      await edge.close()
      await sweeps.stop()
      await stopFollowing?.().catch((err: unknown) => logger.warn({ err }, 'cannot store the time of the clock'))
      await operator.flush().catch((err: unknown) => logger.warn({ err }, 'cannot write the last usage counts'))
    },
  }

  /** Forgets what is in memory about the data. Before anything that can fail. */
  function forget(): void {
    tokens.clearCache()
    operator.forget()
    for (const one of throttles) one.reset()
  }
}
