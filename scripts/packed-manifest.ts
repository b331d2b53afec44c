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
  // Left behind by an interrupted npm pack.
  restore()
  const text = readFileSync(MANIFEST, 'utf8')
  const manifest = JSON.parse(text)
  const dependencies = Object.fromEntries(INSTALLED.map((name) => [name, manifest.dependencies[name]]))
  writeFileSync(ORIGINAL, text)
  writeFileSync(MANIFEST, `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`)
}

if (process.argv[2] === 'trim') trim()
else restore()
