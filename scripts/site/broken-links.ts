import { readdirSync } from 'node:fs'
import { IMAGES, SERVER_PATHS } from './pages.ts'

const ASSETS = [
  'site.css',
  'search.js',
  'icon.svg',
  ...readdirSync(`docs/${IMAGES}`).map((name) => `${IMAGES}/${name}`),
]

/** The links of rendered pages, by path, that lead to no page or to a fragment that the page lacks. */
export function findBrokenLinks(pages: ReadonlyMap<string, string>): string[] {
  const ids = new Map([...pages].map(([path, html]) => [path, new Set(valuesOf('id', html))]))
  return [...pages].flatMap(([path, html]) =>
    [...valuesOf('href', html), ...valuesOf('src', html)]
      .filter((link) => !resolves(path, link))
      .map((link) => `${path}: ${link}`),
  )

  function resolves(from: string, link: string): boolean {
    if (/^https?:/.test(link)) return true
    const { pathname, hash } = new URL(link, `http://site/${from}`)
    const path = pathname.slice(1) || 'index'
    if ([...SERVER_PATHS, ...ASSETS].includes(path)) return true
    const known = ids.get(link.startsWith('#') ? from : path)
    return known !== undefined && (hash === '' || known.has(decodeURIComponent(hash.slice(1))))
  }
}

const valuesOf = (attribute: string, html: string) =>
  [...html.matchAll(new RegExp(` ${attribute}="([^"]*)"`, 'g'))].map(([, value]) => value as string)
