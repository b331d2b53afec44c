// npm runs this before and after it packs. A clone needs all dependencies, because it can run from its sources; the
// package needs only those that are not in the bundle.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { INSTALLED } from './bundle.ts'

const MANIFEST = 'package.json'
const ORIGINAL = 'package.json.original'

function restore(): void {
  if (existsSync(ORIGINAL)) renameSync(ORIGINAL, MANIFEST)
}

function trim(): void {
  restoreInterrupted()
  const text = readFileSync(MANIFEST, 'utf8')
  writeFileSync(ORIGINAL, text)
  writeFileSync(MANIFEST, trimmed(text))
}

/** A failed npm pack leaves both files behind. If the manifest has changed since, it is the newer one. */
function restoreInterrupted(): void {
  if (!existsSync(ORIGINAL)) return
  if (readFileSync(MANIFEST, 'utf8') === trimmed(readFileSync(ORIGINAL, 'utf8'))) restore()
}

function trimmed(text: string): string {
  const manifest = JSON.parse(text)
  const dependencies = Object.fromEntries(INSTALLED.map((name) => [name, manifest.dependencies[name]]))
  return `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`
}

if (process.argv[2] === 'trim') trim()
else restore()
