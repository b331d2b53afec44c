import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UnavailableError } from '../../platform/errors/unavailable-error.ts'
import { listDocuments, RESTORING_FOLDER, removeDocuments, removeEventBusFiles } from '../remove-files.ts'

/** The files that belong to the rows of a database. */
export interface SnapshotFiles {
  documentsFolder: string
  eventBusFile: string
}

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

/** Files that are about to replace those in use. */
export interface StagedFiles {
  /** Call it after the rows were replaced. Removes the files that belong to the old rows. */
  use(): void
  /** Call it if the rows were not replaced. Never throws, because the caller needs the first error. */
  discard(): void
}

/**
 * Copies files to where they will be used, so that a full disk is found before any row is replaced.
 *
 * A document with a new id is in place at once. Rows find their documents by id, so after a crash the documents match,
 * whether the rows were replaced or not.
 */
export function stageFiles(from: SnapshotFiles, to: SnapshotFiles): StagedFiles {
  const folder = join(to.documentsFolder, RESTORING_FOLDER)
  const staged: SnapshotFiles = { documentsFolder: folder, eventBusFile: `${to.eventBusFile}.next` }
  const added: string[] = []
  const removeStaged = () => {
    rmSync(folder, { recursive: true, force: true })
    rmSync(staged.eventBusFile, { force: true })
  }
  const discard = () => {
    for (const path of added) removeIfPossible(join(to.documentsFolder, path))
    removeIfPossible(folder)
    removeIfPossible(staged.eventBusFile)
  }
  try {
    removeStaged()
    copyFiles(from, staged)
    for (const path of listDocuments(folder)) {
      const target = join(to.documentsFolder, path)
      if (existsSync(target)) continue
      added.push(path)
      linkOrCopy(join(folder, path), target)
    }
  } catch (error) {
    discard()
    throw diskError('The files of the snapshot cannot be copied', error)
  }
  return {
    use() {
      const documents = listDocuments(folder)
      for (const path of documents) renameSync(join(folder, path), join(to.documentsFolder, path))
      removeDocuments(to.documentsFolder, { except: new Set(documents) })
      if (existsSync(staged.eventBusFile)) {
        renameSync(staged.eventBusFile, to.eventBusFile)
        rmSync(`${to.eventBusFile}.old`, { force: true })
      } else {
        removeEventBusFiles(to.eventBusFile)
      }
      removeStaged()
    },
    discard,
  }
}

/** The error to report for a system call that failed; any other error unchanged. */
export function diskError(message: string, cause: unknown): unknown {
  return cause instanceof Error && 'syscall' in cause ? new UnavailableError(message, { cause }) : cause
}

function removeIfPossible(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {
    // An extra document is harmless, and the next restore removes it.
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
