import { type ActDependencies, createActRoutes, createActs } from '../acts/index.ts'
import type { Routes } from '../http/route.ts'
import type { VirtualClock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import { createClockRoutes } from './clock-routes.ts'
import { guardControlPlane } from './control-plane-guard.ts'
import { type DemoPorts, demo, loadDemo } from './demo/index.ts'
import { createEventBusRoutes } from './event-bus-routes.ts'
import { loadSetting, storeSetting } from './settings.ts'
import { StoredClockError } from './stored-clock-error.ts'

export interface StandInDependencies {
  database: Database
  clock: VirtualClock
  demoPorts: DemoPorts
  /** Whether the demo marketplace is loaded. Acts without ids are then about its seller. */
  hasDemo: boolean
  acts: Omit<ActDependencies, 'defaults'>
  /** File for events to EventBridge destinations. */
  eventBusFile: string
  /** The URL by which clients reach the stand-in. */
  publicUrl: () => string
}

/** The parts that only `souk dev` has. */
export function createStandIn(dependencies: StandInDependencies) {
  const { database, clock, demoPorts, hasDemo, acts, eventBusFile, publicUrl } = dependencies
  const { sellerId, marketplaceId } = demo
  const standInActs = createActs({ ...acts, defaults: hasDemo ? { sellerId, marketplaceId } : {} })
  const routes: Routes = (app) => {
    guardControlPlane(app, publicUrl)
    createClockRoutes(clock, database)(app)
    createEventBusRoutes(eventBusFile)(app)
    createActRoutes(standInActs, { path: '/_souk/acts', access: 'public', tag: 'stand-in', operationPrefix: '' })(app)
  }
  return {
    routes,

    /** Restores the clock offset that the data folder was last used with. */
    async restoreClock(): Promise<void> {
      const offset = await database.read((reader) => loadSetting(reader, 'clockOffsetMilliseconds'))
      if (offset === undefined) return
      // Another program or an older version may have written any text here.
      if (!/^\d+$/.test(offset)) throw new StoredClockError(offset)
      try {
        clock.advance(Number(offset) - clock.offsetMilliseconds)
      } catch (cause) {
        throw new StoredClockError(offset, { cause })
      }
    },

    /** Loads the demo marketplace once. Returns when it was loaded. */
    async ensureDemo(): Promise<Date> {
      const loadedAt = await database.read((reader) => loadSetting(reader, 'demoLoadedAt'))
      if (loadedAt !== undefined) return new Date(loadedAt)
      const now = clock.now()
      await database.transact(async (tx) => {
        await loadDemo(tx, now, demoPorts)
        await storeSetting(tx, 'demoLoadedAt', now.toISOString())
      })
      return now
    },
  }
}
