import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { type Running, runUntilSignal } from './run-until-signal.ts'
import { explainListenError, rethrowWithDatabaseSetting } from './user-error.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the Selling Partner API on PostgreSQL; settings come from SOUK_* variables')
    .action(() => runUntilSignal(() => startServe().catch(rethrowWithDatabaseSetting)))
}

async function startServe(): Promise<Running> {
  const { readListenConfig, readServiceConfig } = await import('../config/env.ts')
  const config = readServiceConfig(process.env)
  const { host, port, drainSeconds, maxConnections, trustedProxies } = readListenConfig(process.env)
  const { openQuotas } = await import('../composition/adapters.ts')
  const { CACHE_METRICS_MILLISECONDS } = await import('../composition/metrics.ts')
  const { createService } = await import('../composition/service.ts')
  const { openPlatform, logIgnoredVariables: reportIgnored } = await import('./platform.ts')
  const platform = await openPlatform(config, 'souk-serve')
  reportIgnored(platform.logger)
  const quotas = await openQuotas(config.quotas, platform)
  const service = await createService(config, platform, {
    quotas,
    cacheMetricsMilliseconds: CACHE_METRICS_MILLISECONDS,
    publicUrl: () => config.publicUrl,
    maxConnections,
    trustedProxies,
  }).catch(async (error: unknown) => {
    quotas.close()
    await platform.close()
    throw error
  })
  const stop = async () => {
    await service.stop()
    quotas.close()
    await platform.close()
  }
  try {
    const url = await service.edge.listen({ host, port })
    platform.logger.info({ url }, 'server listening')
  } catch (error) {
    await stop()
    throw explainListenError(error, host, port, 'with SOUK_PORT')
  }
  return { drain, stop }

  // Closing the port at once would reset the requests that a balancer sends until it has looked at /readyz again.
  function drain(): Promise<void> {
    service.edge.drain()
    platform.logger.info({ seconds: drainSeconds }, 'draining')
    return setTimeout(drainSeconds * 1000)
  }
}
