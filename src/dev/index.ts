import { type ActDependencies, createActRoutes, createActs } from '../acts/index.ts'
import type { Routes } from '../http/route.ts'
import { listSellers } from '../marketplace/accounts/sellers.ts'
import type { DueSource } from '../platform/due.ts'
import type { JobQueue } from '../platform/jobs/port.ts'
import { loadSetting, storeSetting } from '../platform/settings/store.ts'
import { createDueList } from './clock/due-list.ts'
import { createClockRoutes } from './clock/routes.ts'
import { StoredClock, type StoredClockDependencies } from './clock/stored-clock.ts'
import { createControlPlaneCheck, guardAgainstRebinding, guardControlPlane } from './control-plane-guard.ts'
import { type DemoCredentials, demo, loadDemo } from './demo/index.ts'
import { createEventBusRoutes } from './event-bus/routes.ts'
import { createLifeOperations, createLifeRoutes, lifeDue } from './life/index.ts'
import { openApiRoutes } from './openapi-routes.ts'
import { queueDue } from './queue/due.ts'
import { createInspectionOperations } from './queue/inspection/operations.ts'
import { createInspectionRoutes } from './queue/inspection/routes.ts'
import { expiredMessageSweep } from './queue/retention.ts'
import { onlySellerOf } from './seed/credentials.ts'
import type { SeedPorts } from './seed/ports.ts'
import { createSeedState, type SeedStateDependencies } from './seed/seed-state.ts'
import type { CredentialsOfFork } from './state/fork-credentials.ts'

export interface StandInDependencies extends StoredClockDependencies {
  seedPorts: SeedPorts
  seed?: SeedStateDependencies['seed']
  reportSeed?: SeedStateDependencies['reportSeed']
  credentials: DemoCredentials
  /** Present in a fork. */
  forkCredentials?: CredentialsOfFork
  /** Whether the demo marketplace is loaded. Acts without ids are then about its seller, unless there is one seller only. */
  hasDemo: boolean
  acts: Omit<ActDependencies, 'findDefaults'>
  jobs: JobQueue
  /** What is due later besides what only the stand-in has. */
  due: readonly DueSource[]
  /** Waits for the work that is due, for a limited time. */
  settle(): Promise<void>
  /** File for events to EventBridge destinations. */
  eventBusFile: string
  /** The URL by which clients reach the stand-in. */
  publicUrl: () => string
  controlHost: string | undefined
}

/** The parts that only `souk dev` has. */
export function createStandIn(dependencies: StandInDependencies) {
  const { database, clock, seedPorts, credentials, forkCredentials, hasDemo, acts, eventBusFile } = dependencies
  const { due, settle } = dependencies
  const storedClock = new StoredClock(dependencies)
  // Plans before the job that performs them.
  const listDue = createDueList(database, [lifeDue, ...due, queueDue])
  const { sellerId, marketplaceId } = demo
  const seeds = createSeedState({ ...dependencies, storedClock })
  const standInActs = createActs({
    ...acts,
    // Of the current content: a seed, or an import, replaces the demo marketplace, whose sellers are two.
    findDefaults: async () =>
      onlySellerOf(await database.read((reader) => listSellers(reader, { limit: 2 }))) ??
      (hasDemo ? { sellerId, marketplaceId } : {}),
  })
  const findDenial = createControlPlaneCheck(dependencies)
  /** When the demo marketplace was loaded, if the content is that. */
  async function findDemoTime(): Promise<Date | undefined> {
    const loadedAt = await database.read((reader) => loadSetting(reader, 'demoLoadedAt'))
    return loadedAt === undefined ? undefined : new Date(loadedAt)
  }
  const routes: Routes = (app) => {
    guardControlPlane(app, findDenial)
    openApiRoutes(app)
    createClockRoutes({ clock, stored: storedClock, listDue, settle })(app)
    createEventBusRoutes(eventBusFile)(app)
    createInspectionRoutes(createInspectionOperations(dependencies))(app)
    createLifeRoutes(createLifeOperations(dependencies))(app)
    createActRoutes(standInActs, { path: '/_souk/acts', access: 'public', tag: 'stand-in', operationPrefix: '' })(app)
  }
  return {
    hooks: ((app) => guardAgainstRebinding(app, dependencies)) satisfies Routes,
    routes,
    sweeps: [expiredMessageSweep],
    /** Why a request may not control the stand-in. */
    findDenial,

    clock: storedClock,
    seeds,

    /** For content that was copied from another stand-in: gives it this one's credentials and a clock. */
    async adopt(time: Date, { frozen }: { frozen: boolean }): Promise<void> {
      const setClock = await database.transact(async (tx) => {
        await forkCredentials?.issue(tx, time)
        return storedClock.setWith(tx, time, { frozen })
      })
      setClock()
    },

    findDemoTime,

    /** Loads the seed that the stand-in starts with after the database was emptied. */
    async reloadSeed(): Promise<void> {
      const isSeeded = await seeds.ensure()
      if (isSeeded && forkCredentials) await database.transact((tx) => forkCredentials.issue(tx, clock.now()))
    },

    /** Loads the demo marketplace once, unless there is another. Returns when it was loaded, and whether by this call. */
    async ensureDemo(time?: Date): Promise<{ loadedAt: Date | undefined; isNew: boolean }> {
      const loadedAt = await findDemoTime()
      if (loadedAt) return { loadedAt, isNew: false }
      if (await seeds.isSeeded()) return { loadedAt: undefined, isNew: false }
      const now = time ?? clock.now()
      await database.transact(async (tx) => {
        await loadDemo(tx, now, seedPorts, credentials)
        await storeSetting(tx, 'demoLoadedAt', now.toISOString())
      })
      return { loadedAt: now, isNew: true }
    },
  }
}
