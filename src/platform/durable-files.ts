import { closeSync, type Dirent, fsyncSync, openSync, readdirSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'

const MAX_SYNCED_TOGETHER = 64

/** The names in a folder are durable only after this. The content of its files is not: see syncTree. */
export function syncFolder(folder: string): void {
  if (!CAN_SYNC_FOLDERS) return
  const handle = openSync(folder, FOLDER_FLAGS)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** All of a folder, at once: a file system flushes together what waits together, in a third of the time. */
export async function syncTree(folder: string): Promise<void> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  const files = entries.filter((entry) => !entry.isDirectory()).map((entry) => pathOf(entry))
  const folders = [folder, ...entries.filter((entry) => entry.isDirectory()).map((entry) => pathOf(entry))]
  const places = [
    ...files.map((path) => ({ path, flags: FILE_FLAGS })),
    ...(CAN_SYNC_FOLDERS ? folders.map((path) => ({ path, flags: FOLDER_FLAGS })) : []),
  ]
  while (places.length > 0) {
    await Promise.all(places.splice(0, MAX_SYNCED_TOGETHER).map(({ path, flags }) => sync(path, flags)))
  }
}

async function sync(path: string, flags: string): Promise<void> {
  const handle = await open(path, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const pathOf = ({ parentPath, name }: Dirent) => join(parentPath, name)

const FILE_FLAGS = 'r+'
const FOLDER_FLAGS = 'r'
// Windows cannot open a folder, and its file system journals names.
const CAN_SYNC_FOLDERS = process.platform !== 'win32'
