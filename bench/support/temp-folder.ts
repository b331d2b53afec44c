import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface TempFolder extends Disposable {
  path: string
}

/** A folder that is deleted at the end, also when the bench is interrupted. */
export function makeTempFolder(): TempFolder {
  const path = mkdtempSync(join(tmpdir(), 'souk-bench-'))
  // A child that is being ended may write a last file between the listing of the folder and its removal.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  process.once('exit', remove)
  return {
    path,
    [Symbol.dispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}
