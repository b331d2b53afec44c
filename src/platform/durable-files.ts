import { closeSync, fsyncSync, openSync } from 'node:fs'

/** The content of a file is durable only after this, and its name once its folder was synced, too. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** The names in a folder are durable only after this. */
export function syncFolder(folder: string): void {
  // Windows cannot open a folder, and its file system journals names.
  if (process.platform === 'win32') return
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
