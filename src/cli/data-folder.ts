import { accessSync, constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { StoredClockError } from '../dev/clock/stored-clock-error.ts'
import { OtherSeedError } from '../dev/seed/other-seed-error.ts'
import { SeedError } from '../dev/seed/problems.ts'
import { AuthorityFilesError } from '../platform/certificates/authority-files.ts'
import { DatabaseFileError, DatabaseInUseError, LockFileError } from '../platform/database/database-file-errors.ts'
import { makeFolder } from '../platform/make-folder.ts'
import { UserError } from './user-error.ts'

export interface DataFolder {
  path: string
  database: string
  documents: string
  snapshots: string
  eventBus: string
  certificates: string
}

/** Creates the folder if necessary, and returns the paths in it. */
export function prepareDataFolder(folder: string): DataFolder {
  const path = resolve(folder)
  try {
    makeFolder(path)
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw toUnwritableError(path, error)
  }
  return {
    path,
    database: join(path, 'souk.db'),
    documents: join(path, 'documents'),
    snapshots: join(path, 'snapshots'),
    eventBus: join(path, 'event-bus.jsonl'),
    certificates: join(path, 'tls'),
  }
}

const toUnwritableError = (path: string, error: unknown) =>
  new UserError(
    `The data folder ${path} is not writable (${(error as NodeJS.ErrnoException).code}): choose another with --data.`,
  )

const START_OVER = 'start over with --fresh, or choose another folder with --data'
const REMEDIES: Record<string, string> = {
  SQLITE_NOTADB: START_OVER,
  SQLITE_CORRUPT: START_OVER,
  SQLITE_FULL: 'free some space, or choose another folder with --data',
  SQLITE_BUSY: 'stop that program, or choose another folder with --data',
}

/** Explains why the data folder is not usable, and what to do. */
export function explainDataError(error: unknown, { path, database }: DataFolder): unknown {
  if (error instanceof DatabaseInUseError) {
    const remedy = 'stop it first, or choose another folder with --data'
    return new UserError(`Another souk process is using the data folder ${path}${error.holder}: ${remedy}.`)
  }
  if (error instanceof LockFileError || error instanceof AuthorityFilesError) return new UserError(error.message)
  if (error instanceof SeedError) return new UserError(error.message)
  if (error instanceof OtherSeedError) {
    return new UserError(`${error.message} --fresh starts with new data, and --data uses another folder.`)
  }
  if (error instanceof StoredClockError) return new UserError(`${error.message}: ${START_OVER}.`)
  if (error instanceof DatabaseFileError) {
    const [, remedy = 'choose another folder with --data'] =
      Object.entries(REMEDIES).find(([code]) => error.code.startsWith(code)) ?? []
    return new UserError(`${error.message.replace(/\.$/, '')}: ${remedy}.`)
  }
  const { code, path: file } = error as NodeJS.ErrnoException
  const isOurs = file === database || file?.startsWith(path)
  return isOurs && code !== undefined ? toUnwritableError(path, error) : error
}
