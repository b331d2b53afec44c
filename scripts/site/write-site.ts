import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { findBrokenLinks } from './broken-links.ts'
import { renderPage } from './layout.ts'
import { readNavigation } from './navigation.ts'
import { IMAGES, readPages } from './pages.ts'
import { splitSections } from './sections.ts'

const assetPath = (name: string) => new URL(`assets/${name}`, import.meta.url).pathname

/** Builds the site into a folder. Fails if a link leads nowhere. */
export async function writeSite(folder: string): Promise<{ files: number; bytes: number; bundled: string[] }> {
  const pages = readPages()
  const navigation = readNavigation(pages)
  const html = new Map(pages.map((page) => [page.path, renderPage(page, navigation)]))
  const broken = findBrokenLinks(html)
  if (broken.length > 0) throw new Error(`Broken links in the documentation:\n${broken.join('\n')}`)

  const { code, moduleIds } = await bundleScript()
  const files = new Map<string, string>([
    ...[...html].map(([path, text]) => [`${path}.html`, text] as const),
    ['search.json', JSON.stringify(pages.flatMap(splitSections))],
    ['search.js', code],
    ...['site.css', 'icon.svg'].map((name) => [name, readFileSync(assetPath(name), 'utf8')] as const),
  ])
  rmSync(folder, { recursive: true, force: true })
  for (const [name, text] of files) {
    const file = join(folder, name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  cpSync(`docs/${IMAGES}`, join(folder, IMAGES), { recursive: true })
  const bytes = [...files.values()].reduce((sum, text) => sum + Buffer.byteLength(text), 0)
  return { files: files.size, bytes, bundled: moduleIds }
}

async function bundleScript() {
  const build = await rolldown({ input: assetPath('search.js'), platform: 'browser' })
  const { output } = await build.generate({ format: 'esm', minify: true })
  await build.close()
  return output[0]
}
