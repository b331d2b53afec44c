import { type ActDependencies, createActRoutes, createActs } from '../acts/index.ts'
import type { Routes } from '../http/route.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import { createClockRoutes } from './clock/routes.ts'
import { StoredClock, type StoredClockDependencies } from './clock/stored-clock.ts'
import { guardControlPlane } from './control-plane-guard.ts'
import { type DemoCredentials, type DemoPorts, demo, loadDemo, writeCredentials } from './demo/index.ts'
import { createEventBusRoutes } from './event-bus-routes.ts'
import { createLifeOperations, createLifeRoutes } from './life/index.ts'
import { expiredMessageSweep } from './queue/retention.ts'
import { loadSetting, storeSetting } from './settings.ts'

export interface StandInDependencies extends StoredClockDependencies {
  demoPorts: DemoPorts
  credentials: DemoCredentials
  /** Whether the demo marketplace is loaded. Acts without ids are then about its seller. */
  hasDemo: boolean
  acts: Omit<ActDependencies, 'defaults'>
  jobs: JobQueue
  /** File for events to EventBridge destinations. */
  eventBusFile: string
  /** The URL by which clients reach the stand-in. */
  publicUrl: () => string
}

/** The parts that only `souk dev` has. */
export function createStandIn(dependencies: StandInDependencies) {
  const { database, clock, demoPorts, credentials, hasDemo, acts, eventBusFile, publicUrl } = dependencies
  const storedClock = new StoredClock(dependencies)
  const { sellerId, marketplaceId } = demo
  const standInActs = createActs({ ...acts, defaults: hasDemo ? { sellerId, marketplaceId } : {} })
  const routes: Routes = (app) => {
    guardControlPlane(app, publicUrl)
    createClockRoutes(clock, storedClock)(app)
    createEventBusRoutes(eventBusFile)(app)
    createLifeRoutes(createLifeOperations(dependencies))(app)
    createActRoutes(standInActs, { path: '/_souk/acts', access: 'public', tag: 'stand-in', operationPrefix: '' })(app)
  }
  return {
    routes,
    sweeps: [expiredMessageSweep],

    clock: storedClock,

    /** For content that was copied from another stand-in: gives it this one's credentials and a clock. */
    async adopt(time: Date, { frozen }: { frozen: boolean }): Promise<void> {
      await storedClock.set(time, { frozen })
      if (hasDemo) await database.transact((tx) => writeCredentials(tx, credentials))
    },

    /** Loads the demo marketplace once. Returns when it was loaded. */
    async ensureDemo(): Promise<Date> {
      const loadedAt = await database.read((reader) => loadSetting(reader, 'demoLoadedAt'))
      if (loadedAt !== undefined) return new Date(loadedAt)
      const now = clock.now()
      await database.transact(async (tx) => {
        await loadDemo(tx, now, demoPorts, credentials)
        await storeSetting(tx, 'demoLoadedAt', now.toISOString())
      })
      return now
    },
  }
}
