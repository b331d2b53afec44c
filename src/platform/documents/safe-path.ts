import { join } from 'node:path'

const MAX_KEY_LENGTH = 500
// No segment starts with a dot, which excludes `..` and reserves such names for the store.
const KEY = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}(\/[A-Za-z0-9_-][A-Za-z0-9._-]{0,199})*$/

export function isDocumentKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && KEY.test(key)
}

export function requireDocumentKey(key: string): void {
  if (!isDocumentKey(key)) throw new Error(`Invalid document key: ${JSON.stringify(key.slice(0, 100))}`)
}

/** The only way from a key to a path. Keys that could leave the folder are rejected, not normalized. */
export function safePath(folder: string, key: string): string {
  requireDocumentKey(key)
  return join(folder, key)
}
