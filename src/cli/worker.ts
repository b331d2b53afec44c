import type { Command } from 'commander'
import { type Running, runUntilSignal } from './run-until-signal.ts'
import { rethrowWithDatabaseSetting } from './user-error.ts'

export function addWorkerCommand(program: Command): void {
  program
    .command('worker')
    .description('Run background jobs; start as many as you need')
    .action(() => runUntilSignal(() => startWorker().catch(rethrowWithDatabaseSetting)))
}

async function startWorker(): Promise<Running> {
  const { readServiceConfig } = await import('../config/env.ts')
  const config = readServiceConfig(process.env)
  const { startSweeps } = await import('../composition/sweeps.ts')
  const { openPlatform, logIgnoredVariables: reportIgnored } = await import('./platform.ts')
  const { createMessenger } = await import('../platform/messaging/messenger.ts')
  const { Sealer } = await import('../platform/auth/sealer.ts')
  const { startBackground } = await import('../worker/in-process-background.ts')
  const platform = await openPlatform(config)
  reportIgnored(platform.logger)
  const background = startBackground(
    {
      ...platform,
      documents: platform.documents.store,
      messenger: createMessenger(config.messaging),
      sealer: new Sealer(config.signing),
    },
    { ...config.worker, delayMilliseconds: 0 },
  )
  const sweeps = startSweeps(platform, background.areas)
  platform.logger.info('worker started')
  return {
    async stop() {
      await background.stop()
      await sweeps.stop()
      await platform.close()
    },
  }
}
