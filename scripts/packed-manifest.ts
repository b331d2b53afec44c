// npm runs this before and after it packs. A clone needs all dependencies and scripts, because it can run from its sources;
// the package needs no script, and only the dependencies that are not in the bundle.
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import { INSTALLED } from './bundle.ts'

const MANIFEST = 'package.json'
const ORIGINAL = 'package.json.original'

function trim(): void {
  // A npm pack that was interrupted leaves both files behind.
  restore()
  const text = readFileSync(MANIFEST, 'utf8')
  writeFileSync(ORIGINAL, text)
  writeFileSync(MANIFEST, trimmed(text))
}

function restore(): void {
  if (!existsSync(ORIGINAL)) return
  const manifest = readFileSync(MANIFEST, 'utf8')
  if (manifest === trimmed(readFileSync(ORIGINAL, 'utf8'))) renameSync(ORIGINAL, MANIFEST)
  else if (!isTrimmed(manifest)) rmSync(ORIGINAL)
  else {
    console.error(
      `${MANIFEST} was changed after npm pack had removed dependencies from it. Copy the change to ${ORIGINAL} and rename that to ${MANIFEST}.`,
    )
    process.exit(1)
  }
}

function trimmed(text: string): string {
  // npm asks users whether they trust the scripts of a package, even those that it would not run.
  const { scripts, devDependencies, overrides, allowScripts, workspaces, ...manifest } = JSON.parse(text)
  const dependencies = Object.fromEntries(INSTALLED.map((name) => [name, manifest.dependencies[name]]))
  return `${JSON.stringify({ ...manifest, dependencies }, null, 2)}\n`
}

const isTrimmed = (text: string) =>
  isDeepStrictEqual(Object.keys(JSON.parse(text).dependencies).sort(), INSTALLED.toSorted())

if (process.argv[2] === 'trim') trim()
else restore()
