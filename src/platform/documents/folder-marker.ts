import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder } from '../make-folder.ts'

// No key starts with a dot.
const MARKER = '.souk-documents'

const CONTENT = 'Souk stores documents in this folder. Without this file it takes the volume for not mounted.\n'

export const markerOf = (folder: string) => join(folder, MARKER)

/** Whether this is the folder with the documents, and not the empty place where its volume is mounted later. */
export async function isMarked(folder: string): Promise<boolean> {
  return stat(markerOf(folder)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return false
      throw error
    },
  )
}

export async function markFolder(folder: string): Promise<void> {
  makeFolder(folder)
  await writeFile(markerOf(folder), CONTENT)
}
