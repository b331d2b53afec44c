import type { VirtualClock } from '../../platform/clock/port.ts'
import type { Database } from '../../platform/database/port.ts'
import { loadSetting, storeSetting } from '../../platform/settings/store.ts'
import type { StoredClock } from '../clock/stored-clock.ts'
import type { OpenedSeed } from './open-seed.ts'
import { OtherSeedError } from './other-seed-error.ts'
import type { SeedPorts } from './ports.ts'
import type { CompleteSeed } from './read-seed.ts'
import type { ExportFormat } from './render-export.ts'
import { countRows, writeSeed } from './write-seed.ts'

export interface SeedStateDependencies {
  database: Database
  clock: VirtualClock
  storedClock: StoredClock
  seedPorts: SeedPorts
  /** The URL by which clients reach the stand-in. */
  publicUrl(): string
  /** The seed that the stand-in starts with and that a reset goes back to. */
  seed?: OpenedSeed
  /** Reports how many rows of it are written, and of how many. */
  reportSeed?: (done: number, total: number) => void
}

/** Called with the number of rows that are written. */
export type ReportRows = (done: number) => void

/** Content of the stand-in that comes from a seed. */
export function createSeedState(dependencies: SeedStateDependencies) {
  const { database, clock, storedClock, seedPorts, publicUrl, seed, reportSeed } = dependencies
  return {
    /** Loads the seed that the stand-in starts with, once. Returns whether this call has loaded it. */
    async ensure(): Promise<boolean> {
      if (!seed) return false
      const [digest, demoLoadedAt] = await database.read(async (reader) => [
        await loadSetting(reader, 'seed'),
        await loadSetting(reader, 'demoLoadedAt'),
      ])
      if (digest === seed.digest) return false
      if (digest !== undefined || demoLoadedAt !== undefined) throw new OtherSeedError(seed.name)
      const complete = await seed.complete(clock.now())
      const total = countRows(complete)
      const setClock = await database.transact(async (tx) => {
        const report = (done: number) => reportSeed?.(done, total)
        await writeSeed(tx, complete, seedPorts, complete.clock?.time ?? clock.now(), report)
        await storeSetting(tx, 'seed', seed.digest)
        return complete.clock && storedClock.setWith(tx, complete.clock.time, complete.clock)
      })
      setClock?.()
      await seedPorts.prepareQueues()
      return true
    },

    /** Whether the content comes from a seed, also from one of an earlier start. */
    isSeeded: async () => (await database.read((reader) => loadSetting(reader, 'seed'))) !== undefined,

    /**
     * Replaces all content in one transaction. Without a time in the seed, the clock stays as it is. Call `prepareQueues`
     * afterwards.
     */
    async replace(complete: CompleteSeed, report?: ReportRows): Promise<void> {
      const setClock = await database.replace(async (tx) => {
        await writeSeed(tx, complete, seedPorts, complete.clock?.time ?? clock.now(), report)
        // A restart with the same seed goes on with this content.
        await storeSetting(tx, 'seed', seed?.digest ?? '')
        const { time, frozen } = complete.clock ?? { time: clock.now(), frozen: clock.isFrozen }
        return storedClock.setWith(tx, time, { frozen })
      })
      setClock()
    },

    prepareQueues: seedPorts.prepareQueues,

    async export(format: ExportFormat): Promise<string> {
      const { exportSeed, renderExport } = await import('./exporting.ts')
      return database.read((reader) =>
        renderExport(
          exportSeed(reader, seedPorts, { now: clock.now(), isFrozen: clock.isFrozen }),
          format,
          publicUrl(),
        ),
      )
    },
  }
}
