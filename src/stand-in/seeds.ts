import { seedRules } from '../composition/seed-ports.ts'
import type { ProgressBoard } from '../dev/progress/index.ts'
import type { OpenedSeed } from '../dev/seed/index.ts'
import type { MarketplaceSeed, SeedCredentials } from '../dev/seed/public.ts'
import type { SeedControl } from '../dev/seed/routes.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import type { StandInOptions } from './options.ts'
import type { State } from './state.ts'

/** Opens the seed to start with, before anything else is touched. Throws a `SeedError`. */
export async function openStartSeed(
  { seed, openedSeed }: Pick<StandInOptions, 'seed' | 'openedSeed'>,
  clock: VirtualClock,
): Promise<OpenedSeed | undefined> {
  if (openedSeed || seed === undefined) return openedSeed
  const { openSeed } = await import('../dev/seed/open-seed.ts')
  return openSeed(seed, seedRules, clock.now())
}

export type SeedClient = SeedControl & {
  exportSeed(): Promise<MarketplaceSeed>
  importSeed(seed: string | MarketplaceSeed): Promise<SeedCredentials[]>
}

/** Exports and imports of the running stand-in. */
export function createSeedClient({
  state,
  clock,
  progress,
}: {
  state: State
  clock: VirtualClock
  progress: ProgressBoard
}): SeedClient {
  const replaceBy = async (open: () => Promise<OpenedSeed>): Promise<SeedCredentials[]> => {
    const opened = await open()
    const seed = await opened.complete(clock.now())
    const { countRows } = await import('../dev/seed/write-seed.ts')
    const task = progress.start('import', { total: countRows(seed) })
    try {
      await state.replaceBySeed(seed, (done) => task.report(done))
    } finally {
      task.end()
    }
    return opened.credentials
  }
  return {
    now: () => clock.now(),
    export: (format) => state.export(format),
    async import(bytes) {
      const { openSource } = await import('../dev/seed/open-seed.ts')
      return replaceBy(() => openSource({ bytes }, seedRules, clock.now()))
    },
    exportSeed: async () => JSON.parse(await state.export('json')),
    async importSeed(seed) {
      const { openSeed } = await import('../dev/seed/open-seed.ts')
      return replaceBy(() => openSeed(seed, seedRules, clock.now()))
    },
  }
}
