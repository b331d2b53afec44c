import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { listDocuments } from '../remove-files.ts'

const MAX_SNAPSHOTS = 100
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/
const INCOMPLETE = '.incomplete'

/** What a snapshot contains besides the database and the documents. */
export interface SnapshotState {
  /** The last migration of the database. */
  schema: string
  version: string
  /** When the snapshot was taken, by the clock of the stand-in. */
  time: string
  frozen: boolean
  quotas: Record<string, number>[]
}

export interface SnapshotFiles {
  documentsFolder: string
  eventBusFile: string
}

export interface Snapshot extends SnapshotFiles {
  state: SnapshotState
  readImage(): Uint8Array
}

/** Named snapshots as folders of one folder. */
export class SnapshotFolder {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  list(): { name: string; state: SnapshotState }[] {
    return this.#names().map((name) => ({ name, state: this.open(name).state }))
  }

  /** Throws unless a snapshot with this name can be saved. */
  checkName(name: string, { replace }: { replace: boolean }): void {
    if (!NAME.test(name)) {
      throw invalidParameter(
        'name',
        'must have 1 to 64 letters, digits, dots, hyphens and underscores, and no dot first',
      )
    }
    const names = this.#names()
    if (names.includes(name)) {
      if (!replace) throw invalidParameter('name', `is taken: there is a snapshot ${name}; set replace to overwrite it`)
    } else if (names.length >= MAX_SNAPSHOTS) {
      throw new ApiError('InvalidInput', `There are ${MAX_SNAPSHOTS} snapshots already.`, 'Delete one first.')
    }
  }

  /** Writes everything beside the others and renames it, so that a crash leaves no half of a snapshot. */
  save(name: string, state: SnapshotState, image: Uint8Array, files: SnapshotFiles): void {
    const incomplete = join(this.#folder, INCOMPLETE)
    rmSync(incomplete, { recursive: true, force: true })
    makeFolder(incomplete)
    writeFileSync(join(incomplete, 'souk.db'), image)
    writeFileSync(join(incomplete, 'state.json'), JSON.stringify(state))
    copyFiles(files, filesIn(incomplete))
    rmSync(join(this.#folder, name), { recursive: true, force: true })
    renameSync(incomplete, join(this.#folder, name))
  }

  open(name: string): Snapshot {
    const folder = join(this.#folder, name)
    if (!NAME.test(name) || !existsSync(join(folder, 'state.json'))) {
      const names = this.#names()
      const known = names.length > 0 ? `There are: ${names.slice(0, 20).join(', ')}.` : 'There is no snapshot yet.'
      throw new ApiError('NotFound', `There is no snapshot ${name.slice(0, 64)}.`, known)
    }
    return {
      state: JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8')),
      readImage: () => readFileSync(join(folder, 'souk.db')),
      ...filesIn(folder),
    }
  }

  delete(name: string): void {
    this.open(name)
    rmSync(join(this.#folder, name), { recursive: true })
  }

  #names(): string[] {
    if (!existsSync(this.#folder)) return []
    return readdirSync(this.#folder).filter((name) => NAME.test(name))
  }
}

const filesIn = (folder: string): SnapshotFiles => ({
  documentsFolder: join(folder, 'documents'),
  eventBusFile: join(folder, 'event-bus.jsonl'),
})

/** Documents are linked, because they never change. The file of events grows. */
export function copyFiles(from: SnapshotFiles, to: SnapshotFiles): void {
  for (const path of listDocuments(from.documentsFolder)) {
    linkOrCopy(join(from.documentsFolder, path), join(to.documentsFolder, path))
  }
  if (existsSync(from.eventBusFile)) {
    mkdirSync(dirname(to.eventBusFile), { recursive: true })
    copyFileSync(from.eventBusFile, to.eventBusFile)
  }
}

function linkOrCopy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  try {
    linkSync(from, to)
  } catch {
    // Another disk, or one without links.
    copyFileSync(from, to)
  }
}
