import { readdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

// Ids of documents and uploads, in the formats of RandomIds and SequentialIds.
const DOCUMENT = /^(amzn1\.(spdoc|tortuga)\.|(report|feed)Document-\d)/
const UPLOAD = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|upload(Destination)?-\d+)$/
const OWN_FILES: Record<string, RegExp> = { reports: DOCUMENT, feeds: DOCUMENT, uploads: UPLOAD, '.incoming': UPLOAD }

export function removeDatabase(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true })
}

export function removeEventBusFiles(path: string): void {
  for (const suffix of ['', '.old']) rmSync(path + suffix, { force: true })
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
export function removeDocuments(folder: string): void {
  for (const [name, isOwn] of Object.entries(OWN_FILES)) {
    const path = join(folder, name)
    const files = list(path)
    const own = files.filter((file) => isOwn.test(file))
    for (const file of own) rmSync(join(path, file), { force: true })
    if (own.length > 0 && own.length === files.length) rmdirSync(path)
  }
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
