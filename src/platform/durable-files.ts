import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'

/** Writes a file that survives a power failure, once its folder was synced, too. */
export function writeDurably(path: string, content: string | Uint8Array): void {
  const file = openSync(path, 'w')
  try {
    writeFileSync(file, content)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

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
