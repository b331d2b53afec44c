import type { Command } from 'commander'
import { type Running, runUntilSignal } from './run-until-signal.ts'
import { explainListenError, rethrowWithDatabaseSetting } from './user-error.ts'

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('Run background jobs; start as many as you need')
    .action(() => runUntilSignal(() => startWorker().catch(rethrowWithDatabaseSetting)))
}

async function startWorker(): Promise<Running> {
  const { readServiceConfig, readSilence, readWorkerListenConfig } = await import('../config/env.ts')
  const settings = readServiceConfig(process.env)
  // Behind a pooler, a job that is cut and repeated while all connections are busy might never end.
  const silence = { ...readSilence(process.env), endsBehindSilentPooler: false }
  const config = { ...settings, database: { ...settings.database, ...silence } }
  const { host, port } = readWorkerListenConfig(process.env)
  const { CACHE_METRICS_MILLISECONDS, createCommonMetrics } = await import('../composition/metrics.ts')
  const { startSweeps } = await import('../composition/sweeps.ts')
  const { SETTLING_MILLISECONDS } = await import('../marketplace/settling-time.ts')
  const { startProbeServer } = await import('../http/probe-server.ts')
  const { openPlatform, logIgnoredVariables: reportIgnored } = await import('./platform.ts')
  const { measureMessenger } = await import('../platform/messaging/measured-messenger.ts')
  const { createMessenger } = await import('../platform/messaging/messenger.ts')
  const { Sealer } = await import('../platform/auth/sealer.ts')
  const { traceMessenger } = await import('../platform/tracing/traced-work.ts')
  const { startBackground } = await import('../worker/in-process-background.ts')
  const platform = await openPlatform(config, 'souk-worker')
  reportIgnored(platform.logger)
  const measured = measureMessenger(createMessenger(config.messaging))
  const background = startBackground(
    {
      ...platform,
      documents: platform.documents.store,
      messenger: platform.tracer ? traceMessenger(measured.messenger, platform.tracer) : measured.messenger,
      sealer: new Sealer(config.signing),
    },
    { ...config.worker, delayMilliseconds: 0, settlingMilliseconds: SETTLING_MILLISECONDS },
    { tracer: platform.tracer },
  )
  const sweeps = startSweeps(platform, background.areas)
  const stop = async () => {
    await background.stop()
    await sweeps.stop()
    await platform.close()
  }
  const probes = await startProbeServer({
    host,
    port,
    metrics: [
      ...createCommonMetrics({ ...platform, cacheMilliseconds: CACHE_METRICS_MILLISECONDS }),
      ...background.metrics,
      ...measured.metrics,
      ...platform.metrics,
    ],
    checkReady: () => platform.database.checkWritable(),
  }).catch(async (error: unknown) => {
    await stop()
    throw explainListenError(error, host, port, 'with SOUK_WORKER_PORT')
  })
  platform.logger.info({ url: probes.url }, 'worker started')
  return {
    async stop() {
      probes.drain()
      await stop()
      probes.close()
    },
  }
}
