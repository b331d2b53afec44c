import { seedRules } from '../composition/seed-ports.ts'
import type { ProgressBoard, ProgressTask } from '../dev/progress/index.ts'
import type { OpenedSeed, ReportReading } from '../dev/seed/index.ts'
import { KnownSecrets } from '../dev/seed/known-secrets.ts'
import type { MarketplaceSeed, SeedCredentials } from '../dev/seed/public.ts'
import type { SeedControl } from '../dev/seed/routes.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import type { StandInOptions } from './options.ts'
import type { State } from './state.ts'

/** The task of a large seed before its rows are written, in characters. */
const READING = 'read seed'
/** The task in which they are written. */
export const IMPORT = 'import'

/** Opens the seed to start with, before anything else is touched. Throws a `SeedError`. */
export async function openStartSeed(
  {
    seed,
    openedSeed,
    knownSecrets = new KnownSecrets(),
    onSeedProgress,
  }: Pick<StandInOptions, 'seed' | 'openedSeed' | 'knownSecrets' | 'onSeedProgress'>,
  clock: VirtualClock,
): Promise<{ seed: OpenedSeed | undefined; knownSecrets: KnownSecrets }> {
  if (openedSeed || seed === undefined) return { seed: openedSeed, knownSecrets }
  const { openSeed } = await import('../dev/seed/open-seed.ts')
  const report: ReportReading = (done, total) => onSeedProgress?.({ task: READING, done, total })
  const opened = await openSeed(seed, seedRules, clock.now(), report)
  knownSecrets.add(opened.credentials)
  return { seed: opened, knownSecrets }
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
  knownSecrets,
}: {
  state: State
  clock: VirtualClock
  progress: ProgressBoard
  knownSecrets: KnownSecrets
}): SeedClient {
  const replaceBy = async (open: (report: ReportReading) => Promise<OpenedSeed>): Promise<SeedCredentials[]> => {
    let reading: ProgressTask | undefined
    const opened = await open((done, total) => {
      reading ??= progress.start(READING, { total })
      reading.report(done)
    }).finally(() => reading?.end())
    const seed = await opened.complete(clock.now())
    const { countRows } = await import('../dev/seed/write-seed.ts')
    const task = progress.start(IMPORT, { total: countRows(seed) })
    try {
      await state.replaceBySeed(seed, (done) => task.report(done))
    } finally {
      task.end()
    }
    knownSecrets.add(opened.credentials)
    return opened.credentials
  }
  return {
    now: () => clock.now(),
    export: (format) => state.export(format),
    async import(bytes) {
      const { openSource } = await import('../dev/seed/open-seed.ts')
      return replaceBy((report) => openSource({ bytes }, seedRules, clock.now(), report))
    },
    exportSeed: async () => JSON.parse(await state.export('json')),
    async importSeed(seed) {
      const { openSeed } = await import('../dev/seed/open-seed.ts')
      return replaceBy((report) => openSeed(seed, seedRules, clock.now(), report))
    },
  }
}
