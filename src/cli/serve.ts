import type { Command } from 'commander'
import { runUntilSignal } from './run-until-signal.ts'
import { explainListenError } from './stumble.ts'

export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('Serve the seller interface on PostgreSQL; settings come from SOUK_* variables')
    .action(() => runUntilSignal(startServe))
}

async function startServe(): Promise<() => Promise<void>> {
  const { readListenConfig, readServiceConfig } = await import('../config/env.ts')
  const config = readServiceConfig(process.env)
  const { host, port } = readListenConfig(process.env)
  const { createService } = await import('../service.ts')
  const { createJobQueue } = await import('../platform/jobs/job-queue.ts')
  const { openPlatform } = await import('./platform.ts')
  const platform = await openPlatform(config)
  const service = await createService(config, platform, {
    jobs: createJobQueue(platform.ids),
    publicUrl: () => config.publicUrl,
  })
  const stop = async () => {
    await service.stop()
    await platform.close()
  }
  try {
    const url = await service.app.listen({ host, port })
    platform.logger.info({ url }, 'souk serves')
  } catch (error) {
    await stop()
    throw explainListenError(error, host, port, 'with SOUK_PORT')
  }
  return stop
}
