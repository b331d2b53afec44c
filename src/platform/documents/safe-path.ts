import { join } from 'node:path'

const MAX_KEY_LENGTH = 500
// No segment begins with a dot: that rules out `..`, and leaves such names to the store itself.
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199})*$/

export function isDocumentKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && KEY.test(key)
}

export function requireDocumentKey(key: string): void {
  if (!isDocumentKey(key)) throw new Error(`Not the key of a document: ${JSON.stringify(key.slice(0, 100))}`)
}

/** The only way from a key to the disk. Whatever could lead out of the folder is refused, not mended. */
export function safePath(folder: string, key: string): string {
  requireDocumentKey(key)
  return join(folder, key)
}
