import cluster from 'node:cluster'
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { toAddress } from '../stand-in/address.ts'
import { integer } from './parse-options.ts'
import type { GroupMember } from './processes/member.ts'
import { type Running, runUntilSignal } from './run-until-signal.ts'
import { explainListenError, rethrowWithDatabaseSetting } from './user-error.ts'

interface ServeOptions {
  processes: number
}

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the Selling Partner API on PostgreSQL; settings come from SOUK_* variables')
    .option(
      '--processes <number>',
      'how many processes serve the port, usually one per core',
      integer('--processes', { min: 1, max: 64 }),
      1,
    )
    .action(async ({ processes }: ServeOptions) => {
      if (processes === 1) return runUntilSignal(() => startServe().catch(rethrowWithDatabaseSetting))
      if (cluster.isPrimary) return runUntilSignal(() => startProcesses(processes))
      const { GroupMember } = await import('./processes/member.ts')
      const group = new GroupMember()
      const start = () => startServe({ group, processes }).catch(rethrowWithDatabaseSetting)
      await runUntilSignal(start, group.stopRequested).finally(() => group.leave())
    })
}

/** The first of several processes, which serves nothing itself. */
async function startProcesses(processes: number): Promise<Running> {
  const { readListenConfig, readServiceConfig, readSilence } = await import('../config/env.ts')
  const config = readServiceConfig(process.env)
  readListenConfig(process.env)
  readSilence(process.env)
  const { createLogger, flushLogger } = await import('../platform/logging/logger.ts')
  const { ProcessGroup } = await import('./processes/group.ts')
  const logger = await createLogger(config.log)
  if (!config.quotas.url && config.rates !== 'off') {
    logger.warn({ processes }, 'each process grants its part of a quota; to share quotas, set SOUK_QUOTA_URL')
  }
  const group = await ProcessGroup.start(processes, logger)
  return {
    // The processes drain, each for the configured time.
    drain: () => group.stop(),
    stop: () => flushLogger(logger),
  }
}

interface Membership {
  group: GroupMember
  processes: number
}

async function startServe(membership?: Membership): Promise<Running> {
  const { readListenConfig, readServiceConfig, readSilence } = await import('../config/env.ts')
  const settings = readServiceConfig(process.env)
  const config = { ...settings, database: { ...settings.database, ...readSilence(process.env) } }
  const { host, port, drainSeconds, maxConnections, trustedProxies } = readListenConfig(process.env)
  const { openQuotas } = await import('../composition/adapters.ts')
  const { CACHE_METRICS_MILLISECONDS } = await import('../composition/metrics.ts')
  const { createService } = await import('../composition/service.ts')
  const { openPlatform, logIgnoredVariables: reportIgnored } = await import('./platform.ts')
  const platform = await openPlatform(config, 'souk-serve')
  reportIgnored(platform.logger)
  const quotaProcesses = config.quotas.processes * (membership?.processes ?? 1)
  const quotas = await openQuotas({ ...config.quotas, processes: quotaProcesses }, platform)
  const service = await createService(config, platform, {
    quotas,
    cacheMetricsMilliseconds: CACHE_METRICS_MILLISECONDS,
    publicUrl: () => config.publicUrl,
    maxConnections,
    trustedProxies,
    ...(membership && { metricsGroup: membership.group }),
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
    const url = await service.edge.listen({ host: toAddress(host), port })
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
