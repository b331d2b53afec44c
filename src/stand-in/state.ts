import { lastMigration } from '../composition/migrations.ts'
import type { StandInState } from '../composition/service.ts'
import { version } from '../composition/version.ts'
import { removeDocuments, removeEventBusFiles } from '../dev/remove-files.ts'
import type { CompleteSeed, ExportFormat, ReportRows } from '../dev/seed/index.ts'
import { keepTokensAcross } from '../dev/state/kept-tokens.ts'
import type { ResetOptions, RestoreOptions } from '../dev/state/public.ts'
import { type SnapshotFiles, stageFiles } from '../dev/state/snapshot-files.ts'
import type { SnapshotFolder } from '../dev/state/snapshot-folder.ts'
import { LATEST_TIME, type VirtualClock } from '../platform/clock/port.ts'
import type { Database } from '../platform/database/port.ts'
import type { SqliteDatabase } from '../platform/database/sqlite-database.ts'
import { ApiError, invalidParameter } from '../platform/errors/api-error.ts'

// The dates of the demo marketplace are around the time at which it was loaded.
const INITIAL_IMAGE_HOURS = 1

export interface StateDependencies {
  database: Database
  clock: VirtualClock
  serviceState(): StandInState
  /** Resets what is not in the database. */
  onReset(): void
  files: SnapshotFiles
  snapshots: SnapshotFolder
  /** Called before a reset waits for running requests. */
  beforeReset(): void
  /** The time at which the marketplace begins, if it begins with a seed that has one. */
  seedClock: CompleteSeed['clock']
  /** Called after a restore, before work continues. */
  onRestore(): Promise<void>
  /** Runs the work while no request, also to the queue, and no background work runs. */
  runExclusive<Result>(work: () => Promise<Result>): Promise<Result>
}

/** What the database contains, when, and the files that belong to it. */
export interface StateCopy {
  image: Uint8Array
  time: Date
  frozen: boolean
  files: SnapshotFiles
}

export type State = ReturnType<typeof createState>

/** The state of the whole stand-in: rows, documents, queue, clock and quotas. */
export function createState(dependencies: StateDependencies) {
  const { database, clock, serviceState, beforeReset, onReset, onRestore, files, snapshots, seedClock, runExclusive } =
    dependencies
  const schema = lastMigration()
  let initial: { image: Uint8Array; loadedAt: Date } | undefined

  async function reset({ time, keepTokens = false }: ResetOptions = {}): Promise<void> {
    if (time && !(time <= LATEST_TIME)) throw invalidParameter('time', `must not be after ${LATEST_TIME.toISOString()}`)
    beforeReset()
    await runExclusive(async () => {
      await keepingTokens(keepTokens, async () => {
        if (time !== undefined || !(await loadInitial())) await loadDemo(time)
      })
      onReset()
      // After the rows: until then, they refer to the documents.
      removeFiles()
    })
  }

  async function loadDemo(time: Date | undefined): Promise<void> {
    await serviceState().reset(time ? { time } : {})
    // Other times are used once.
    if (time === undefined) await keepInitial()
  }

  /** To be called when the marketplace was just loaded: a reset goes back to it. */
  async function keepInitial(): Promise<void> {
    if (!('image' in database)) return
    const loadedAt = new Date(clock.now().getTime() - clock.offsetMilliseconds)
    initial = { image: await imageOf(database), loadedAt }
  }

  /** Loading an image takes a tenth of the time of loading the demo marketplace. */
  async function loadInitial(): Promise<boolean> {
    const now = clock.now().getTime() - clock.offsetMilliseconds
    if (!initial || now - initial.loadedAt.getTime() > INITIAL_IMAGE_HOURS * 3_600_000) return false
    await sqlite(database).load(initial.image)
    clock.reset()
    const { time, frozen } = seedClock ?? { time: clock.now(), frozen: clock.isFrozen }
    await serviceState().replaced(time, { frozen })
    return true
  }

  async function replaceBySeed(seed: CompleteSeed, report: ReportRows): Promise<void> {
    await runExclusive(async () => {
      await serviceState().replaceBySeed(seed, report)
      removeFiles()
    })
  }

  async function currentImage(): Promise<Uint8Array> {
    await serviceState().flush()
    return imageOf(database)
  }

  async function takeSnapshot(name: string, { replace }: { replace: boolean }) {
    return runExclusive(async () => {
      snapshots.checkName(name, { replace })
      const time = clock.now().toISOString()
      const image = await currentImage()
      await snapshots.save(
        name,
        { schema, version, time, frozen: clock.isFrozen, quotas: serviceState().saveQuotas() },
        image,
        files,
      )
      return { name, time, version }
    })
  }

  async function restore(name: string, { keepTokens = false }: RestoreOptions = {}): Promise<void> {
    await runExclusive(() => keepingTokens(keepTokens, () => replaceBySnapshot(name)))
  }

  async function replaceBySnapshot(name: string): Promise<void> {
    const { state, readImage, ...snapshotFiles } = openSnapshot(name, 'name')
    const image = readImage()
    const staged = stageFiles(snapshotFiles, files)
    try {
      await sqlite(database).load(image)
    } catch (error) {
      staged.discard()
      throw error
    }
    // The rows are those of the snapshot from here on, and what is in memory must match them.
    try {
      await serviceState().replaced(new Date(state.time), { frozen: state.frozen })
    } finally {
      serviceState().loadQuotas(state.quotas)
      // The old documents go last: the rows that refer to the new ones are durable since the commit above.
      await onRestore().finally(() => staged.use())
    }
  }

  const keepingTokens = (keepTokens: boolean, replaceState: () => Promise<void>) =>
    keepTokens ? keepTokensAcross({ database, clock }, replaceState) : replaceState()

  /** A copy of the current state, or of a snapshot, for another marketplace. */
  async function copy<Result>(name: string | undefined, use: (copy: StateCopy) => Promise<Result>): Promise<Result> {
    return runExclusive(async () => {
      if (name === undefined) {
        return use({ image: await currentImage(), time: clock.now(), frozen: clock.isFrozen, files })
      }
      const { state, readImage, ...snapshotFiles } = openSnapshot(name, 'snapshot')
      return use({ image: readImage(), time: new Date(state.time), frozen: state.frozen, files: snapshotFiles })
    })
  }

  /** The place is the field that has the name. */
  function openSnapshot(name: string, place: string) {
    const snapshot = snapshots.open(name)
    // Versions with the same schema read each other's rows, as they do after an update.
    if (snapshot.state.schema === schema) return snapshot
    const by = `Souk ${snapshot.state.version}`
    throw invalidParameter(
      place,
      `is a snapshot of ${by}, whose database has other tables (${snapshot.state.schema}, not ${schema}); take it again with this version`,
    )
  }

  function removeFiles(): void {
    removeDocuments(files.documentsFolder)
    removeEventBusFiles(files.eventBusFile)
  }

  return {
    keepInitial,
    reset,
    replaceBySeed,
    export: (format: ExportFormat) => runExclusive(() => serviceState().export(format)),
    takeSnapshot,
    restore,
    copy,
    listSnapshots: () =>
      snapshots.list().map(({ name, state }) => ({ name, time: state.time, version: state.version })),
    deleteSnapshot: (name: string) => runExclusive(() => snapshots.delete(name)),
  }
}

const imageOf = (database: Database) => sqlite(database).image()

function sqlite(database: Database): SqliteDatabase {
  if ('image' in database) return database as SqliteDatabase
  throw new ApiError('InvalidInput', 'Snapshots and forks need SQLite.', 'Start Souk without a PostgreSQL database.')
}
