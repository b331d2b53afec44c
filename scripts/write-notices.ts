import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

interface BundledPackage {
  name: string
  version: string
  license: string
  /** The texts of its license and notice files. */
  texts: string[]
}

/** Writes the licenses of the packages whose files are in the bundle, as most of them require. */
export function writeNotices(files: readonly string[], path: string): void {
  const folders = new Set(files.filter((file) => file.includes('/node_modules/')).map(packageFolderOf))
  const packages = [...folders].map(readPackage).sort((a, b) => a.name.localeCompare(b.name))
  const sections = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts].join('\n\n'),
  )
  const title = 'Souk contains code of these packages.'
  writeFileSync(path, `${[title, ...sections].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`)
}

function packageFolderOf(file: string): string {
  const [, folder] =
    /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file.replace(/^\0+/, '').split('?')[0] as string) ?? []
  if (!folder) throw new Error(`${file} belongs to no package`)
  return folder
}

function readPackage(folder: string): BundledPackage {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  if (!license) throw new Error(`${name} has no license, so it cannot be bundled`)
  const names = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  return { name, version, license, texts: names.map((file) => readFileSync(join(folder, file), 'utf8').trim()) }
}
