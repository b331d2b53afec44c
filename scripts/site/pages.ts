import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderMarkdown, type Section } from './markdown.ts'
import { type OpenApiDocument, operationsPage } from './operations-page.ts'

export interface Page {
  /** Relative to the root of the site, without an extension: `decisions/http`. */
  path: string
  title: string
  html: string
  /** The second-level headings. */
  sections: Section[]
}

const ROOT_FILES = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md']

/** Pages of the server that are not part of the site. */
export const SERVER_PATHS = ['try']

/** The folder of pictures in `docs/` and in the site. */
export const IMAGES = 'images'

/** All pages of the site: those of `docs/`, some files of the root folder, and the generated ones. */
export function readPages(): Page[] {
  const docs = readdirSync('docs', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort()
  const sources = new Map([
    ...[...docs, ...ROOT_FILES].map((file) => [file, readFileSync(file, 'utf8')] as const),
    ['docs/operations.md', operationsPage(readDocument('openapi'), readDocument('control-plane'))],
  ])
  const paths = new Map([...sources.keys()].map((file) => [file, pathOf(file)]))
  for (const path of SERVER_PATHS) paths.set(`docs/${path}`, path)
  return [...sources].map(([file, text]) => ({ path: pathOf(file), ...renderMarkdown(text, { file, paths }) }))
}

const readDocument = (name: string): OpenApiDocument => JSON.parse(readFileSync(`openapi/${name}.json`, 'utf8'))

const pathOf = (file: string) =>
  file
    .replace(/^docs\//, '')
    .replace(/\.md$/, '')
    .toLowerCase()
