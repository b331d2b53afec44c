import {
  closeSync,
  existsSync,
  fstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CheckedImage,
  checkImage,
  hasImageStart,
  IMAGE_START_BYTES,
  trustImage,
} from '../../platform/database/sqlite-image.ts'
import { syncFolder, syncTree } from '../../platform/durable-files.ts'
import { ApiError, invalidParameter } from '../../platform/errors/api-error.ts'
import { makeFolder } from '../../platform/make-folder.ts'
import { copyFiles, diskError, type SnapshotFiles } from './snapshot-files.ts'

const MAX_SNAPSHOTS = 100
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9_-])?$/

// Names with a dot first are no names of snapshots.
const INCOMPLETE = '.incomplete'
const DELETED = '.deleted'
/** Before the name of a snapshot that is being replaced. */
const REPLACED = '.replaced.'

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

export interface Snapshot extends SnapshotFiles {
  state: SnapshotState
  readImage(): Uint8Array
}

export interface SnapshotFolderOptions {
  /** Whether a snapshot must survive a power failure once it is saved. */
  isDurable: boolean
}

/** Named snapshots as folders of one folder. */
export class SnapshotFolder {
  readonly #folder: string
  readonly #isDurable: boolean
  /** The versions of the images that were checked, by name. A check takes as long as the rest of a restore. */
  readonly #checked = new Map<string, { version: string; found: CheckedImage }>()
  #deletion: Promise<void> = Promise.resolve()

  constructor(folder: string, { isDurable }: SnapshotFolderOptions) {
    this.#folder = folder
    this.#isDurable = isDurable
  }

  /**
   * The snapshots that can be read, as far as that is known without reading their databases. Others can be replaced and
   * deleted.
   */
  list(): { name: string; state: SnapshotState }[] {
    return this.#names().flatMap((name) => {
      const state = this.#readState(name)
      return state && this.#hasWholeImage(name) ? [{ name, state }] : []
    })
  }

  /** By its start and its length only: a list must not read whole databases. */
  #hasWholeImage(name: string): boolean {
    try {
      const file = openSync(join(this.#folder, name, 'souk.db'), 'r')
      try {
        const start = Buffer.alloc(IMAGE_START_BYTES)
        readSync(file, start)
        return hasImageStart(start, fstatSync(file).size)
      } finally {
        closeSync(file)
      }
    } catch {
      return false
    }
  }

  /** Throws unless a snapshot with this name can be saved. */
  checkName(name: string, { replace }: { replace: boolean }): void {
    if (!NAME.test(name)) {
      throw invalidParameter(
        'name',
        'must have 1 to 64 letters, digits, dots, hyphens and underscores, and no dot at either end',
      )
    }
    const names = this.#names()
    const alike = names.find((other) => other !== name && other.toLowerCase() === name.toLowerCase())
    if (alike !== undefined) {
      // The file systems of macOS and Windows take both for the same.
      throw invalidParameter('name', `differs from the snapshot ${alike} only by capital letters`)
    }
    if (names.includes(name)) {
      if (!replace) throw invalidParameter('name', `is taken: there is a snapshot ${name}; set replace to overwrite it`)
    } else if (names.length >= MAX_SNAPSHOTS) {
      throw new ApiError('InvalidInput', `There are ${MAX_SNAPSHOTS} snapshots already.`, 'Delete one first.')
    }
  }

  /**
   * Writes everything beside the others and renames it, so that a crash leaves no half of a snapshot. Not to be called while
   * another snapshot is saved or deleted.
   */
  async save(name: string, state: SnapshotState, image: Uint8Array, files: SnapshotFiles): Promise<void> {
    try {
      await this.#write(state, image, files)
      this.#moveAway(name, REPLACED + name)
      renameSync(join(this.#folder, INCOMPLETE), join(this.#folder, name))
      if (this.#isDurable) syncFolder(this.#folder)
      await this.#deleteLater(REPLACED + name)
    } catch (error) {
      this.#remove(INCOMPLETE)
      throw diskError('The snapshot cannot be written', error)
    }
  }

  open(name: string): Snapshot {
    this.#requireName(name)
    const state = this.#readState(name)
    if (!state) throw damaged(name)
    const folder = join(this.#folder, name)
    return {
      state,
      readImage: () => this.#readImage(name),
      ...filesIn(folder),
    }
  }

  #readImage(name: string): Uint8Array {
    try {
      const path = join(this.#folder, name, 'souk.db')
      const { ino, size, mtimeNs } = statSync(path, { bigint: true })
      const version = [ino, size, mtimeNs].join()
      const image = readFileSync(path)
      const before = this.#checked.get(name)
      if (before?.version === version) trustImage(image, before.found)
      else this.#checked.set(name, { version, found: checkImage(image) })
      return image
    } catch (cause) {
      throw damaged(name, cause)
    }
  }

  /** Also a snapshot that cannot be read. */
  async delete(name: string): Promise<void> {
    this.#requireName(name)
    this.#checked.delete(name)
    await this.#deleteLater(name)
    if (this.#isDurable) syncFolder(this.#folder)
  }

  /** Resolves when no deletion is in progress. */
  finished(): Promise<void> {
    return this.#deletion
  }

  #requireName(name: string): void {
    const names = this.#names()
    if (names.includes(name)) return
    const known = names.length > 0 ? `There are: ${names.slice(0, 20).join(', ')}.` : 'There is no snapshot yet.'
    throw new ApiError('NotFound', `There is no snapshot ${name.slice(0, 64)}.`, known)
  }

  #names(): string[] {
    if (!existsSync(this.#folder)) return []
    const names = readdirSync(this.#folder)
    const replaced = names.filter((name) => name.startsWith(REPLACED))
    if (replaced.length === 0) return names.filter((name) => NAME.test(name))
    for (const old of replaced) this.#finishReplacing(old, names)
    return this.#names()
  }

  /** A crash left both snapshots, or only the old one. */
  #finishReplacing(old: string, names: readonly string[]): void {
    const name = old.slice(REPLACED.length)
    if (names.includes(name) || !NAME.test(name)) this.#remove(old)
    else renameSync(join(this.#folder, old), join(this.#folder, name))
  }

  #readState(name: string): SnapshotState | undefined {
    try {
      const state = JSON.parse(readFileSync(join(this.#folder, name, 'state.json'), 'utf8'))
      return isState(state) ? state : undefined
    } catch {
      return undefined
    }
  }

  async #write(state: SnapshotState, image: Uint8Array, files: SnapshotFiles): Promise<void> {
    const folder = join(this.#folder, INCOMPLETE)
    this.#remove(INCOMPLETE)
    makeFolder(folder)
    writeFileSync(join(folder, 'souk.db'), image)
    writeFileSync(join(folder, 'state.json'), JSON.stringify(state))
    copyFiles(files, filesIn(folder))
    if (this.#isDurable) await syncTree(folder)
  }

  /** By a rename: a crash while it is deleted must not leave half a snapshot under its name. */
  #moveAway(name: string, to: string): void {
    this.#remove(to)
    if (existsSync(join(this.#folder, name))) renameSync(join(this.#folder, name), join(this.#folder, to))
  }

  /** Freeing the space of a file takes as long as the rest of a snapshot. */
  async #deleteLater(name: string): Promise<void> {
    await this.#deletion
    this.#moveAway(name, DELETED)
    // What is left is deleted before the next deletion.
    this.#deletion = rm(join(this.#folder, DELETED), { recursive: true, force: true }).catch(() => {})
  }

  #remove(name: string): void {
    rmSync(join(this.#folder, name), { recursive: true, force: true })
  }
}

const filesIn = (folder: string): SnapshotFiles => ({
  documentsFolder: join(folder, 'documents'),
  eventBusFile: join(folder, 'event-bus.jsonl'),
})

function isState(value: unknown): value is SnapshotState {
  if (typeof value !== 'object' || value === null) return false
  const { schema, version, time, frozen, quotas } = value as Record<keyof SnapshotState, unknown>
  const isTime = typeof time === 'string' && !Number.isNaN(Date.parse(time))
  return (
    isTime &&
    typeof schema === 'string' &&
    typeof version === 'string' &&
    typeof frozen === 'boolean' &&
    Array.isArray(quotas)
  )
}

const damaged = (name: string, cause?: unknown) =>
  new ApiError('InvalidInput', `The snapshot ${name} is damaged.`, 'Delete it, or take it again.', { cause })
