import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { PEERS } from './bundle.ts'

/** Writes the declarations of the entries, and of what they refer to, so that no internal module is published. */
export function writeTypes(entries: readonly string[], dir: string): void {
  const declared = mkdtempSync(join(tmpdir(), 'souk-types-'))
  try {
    const options = ['-p', 'tsconfig.build.json', '--outDir', declared]
    execFileSync('tsc', options, { stdio: 'inherit', shell: process.platform === 'win32' })
    for (const name of reachableFrom(entries, declared)) cpSync(join(declared, name), join(dir, name))
  } finally {
    rmSync(declared, { recursive: true, force: true })
  }
}

/** Throws on a module of a package: a project that uses Souk does not have it, or not its types. */
function reachableFrom(entries: readonly string[], folder: string): Set<string> {
  const names = new Set(entries.map((entry) => `${entry}.d.ts`))
  for (const name of names) {
    for (const [, module] of readFileSync(join(folder, name), 'utf8').matchAll(/(?:from |import\()["']([^"']+)["']/g)) {
      if (PEERS.includes(module ?? '')) continue
      if (!module?.startsWith('.')) throw new Error(`The types of the package refer to ${module}, in ${name}`)
      names.add(join(dirname(name), module.replace(/\.[jt]s$/, '.d.ts')))
    }
  }
  return names
}
