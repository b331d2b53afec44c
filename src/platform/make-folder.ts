import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a folder and those above it that are missing. Node's own recursive mkdir never returns where a folder exists
 * in which nothing can be created and the system says ENOENT, as in /proc.
 */
export function makeFolder(folder: string): void {
  const path = resolve(folder)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error
  }
}
