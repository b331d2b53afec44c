import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// Ids of documents and uploads, in the formats of RandomIds and SequentialIds.
const DOCUMENT = /^(amzn1\.(spdoc|tortuga)\.|(report|feed)Document-\d)/
const UPLOAD = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|upload(Destination)?-\d+)$/
const OWN_FILES: Record<string, RegExp> = { reports: DOCUMENT, feeds: DOCUMENT, uploads: UPLOAD, '.incoming': UPLOAD }

/** In the folder of the documents, for files of a snapshot that is being restored. */
export const RESTORING_FOLDER = '.souk-restoring'

export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

export function removeEventBusFiles(path: string): void {
  for (const suffix of ['', '.old', '.next']) rmSync(path + suffix, { force: true })
}

/** The paths of the documents in a folder, relative to it. */
export function listDocuments(folder: string): string[] {
  return Object.entries(OWN_FILES).flatMap(([name, isOwn]) =>
    list(join(folder, name))
      .filter((file) => isOwn.test(file))
      .map((file) => join(name, file)),
  )
}

/** Removes only documents of Souk, because the folder is chosen by the user and may contain other files. */
export function removeDocuments(folder: string, { except }: { except?: ReadonlySet<string> } = {}): void {
  for (const [name, isOwn] of Object.entries(OWN_FILES)) {
    const path = join(folder, name)
    const files = list(path)
    const own = files.filter((file) => isOwn.test(file) && !except?.has(join(name, file)))
    for (const file of own) rmSync(join(path, file), { force: true })
    if (own.length > 0 && own.length === files.length) rmdirSync(path)
  }
  rmSync(join(folder, RESTORING_FOLDER), { recursive: true, force: true })
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return []
    throw error
  }
}
