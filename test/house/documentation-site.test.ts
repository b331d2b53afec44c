import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSearch, type SearchSection } from '../../scripts/site/assets/find-sections.ts'
import { findBrokenLinks } from '../../scripts/site/broken-links.ts'
import { writeSite } from '../../scripts/site/write-site.ts'
import { type StandIn, startStandIn } from '../../src/stand-in/stand-in.ts'
import { exchange } from '../support/exchange.ts'
import { readOpenApiDocument } from './openapi-document.ts'
import { sourceFiles, withoutComments } from './source-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'souk-docs-'))
const docsFolder = join(folder, 'site')
let souk: StandIn
let size: Awaited<ReturnType<typeof writeSite>>

beforeAll(async () => {
  size = await writeSite(docsFolder)
  souk = await startStandIn({ demo: false, docsFolder })
})
afterAll(async () => {
  await souk.stop()
  rmSync(folder, { recursive: true })
})

const get = (url: string, headers = {}) => souk.inject({ url, headers })

/** Every page and file that can be reached by links from the start page, by path. */
async function crawl() {
  const found = new Map<string, Awaited<ReturnType<typeof get>>>()
  const fragments: string[] = []
  const waiting = ['/docs/']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const response = await get(path)
    found.set(path, response)
    if (!String(response.headers['content-type']).startsWith('text/html')) continue
    const links = [...response.body.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, link]) => link as string)
    for (const link of links.filter((one) => !one.startsWith('http'))) {
      const { pathname, hash } = new URL(link, `http://souk${path}`)
      waiting.push(pathname)
      if (hash !== '' && pathname !== '/docs/try') fragments.push(pathname + hash)
    }
  }
  return { found, fragments }
}

function hasFragment(body: string | undefined, hash: string): boolean {
  return body?.includes(` id="${decodeURIComponent(hash)}"`) ?? false
}

describe('the documentation site', () => {
  test('serves every page and file that a link leads to, without a build of the package', async () => {
    const { found, fragments } = await crawl()
    const missing = [...found].filter(([, { statusCode }]) => statusCode !== 200).map(([path]) => path)
    expect(missing).toEqual([])
    expect(found.size).toBeGreaterThan(size.files)
    const broken = fragments.filter((link) => {
      const [path = '', hash = ''] = link.split('#')
      return !hasFragment(found.get(path)?.body, hash)
    })
    expect(broken).toEqual([])
    const pages = readdirSync(docsFolder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.html'),
    )
    const unlinked = pages.filter((name) => !found.has(`/docs/${name.replace(/(^index)?\.html$/, '')}`))
    expect(unlinked, 'Add links to these pages, for example to docs/index.md.').toEqual([])
    expect(pages).toEqual(expect.arrayContaining(['tour.html', 'operations.html', 'decisions/http.html']))
  })

  test('needs no script, style or file from elsewhere, and none in a page', async () => {
    const { found } = await crawl()
    const pages = [...found].filter(
      ([path, { headers }]) => path !== '/docs/try' && /html/.test(`${headers['content-type']}`),
    )
    expect(pages.length).toBeGreaterThan(20)
    for (const [path, { body, headers }] of pages) {
      expect(headers['content-security-policy'], path).toMatch(
        /^default-src 'none'; script-src 'self'; style-src 'self'/,
      )
      expect(headers['content-security-policy'], path).not.toContain('unsafe')
      expect(body, path).not.toMatch(
        /<style|<script(?! type="module" src="(\.\.?\/)+search\.js"><\/script>)| style="| on\w+="|@import/,
      )
      expect(body, path).not.toMatch(/<(?:img|link|script)[^>]*(?:src|href)="(?:https?:)?\/\//)
    }
    expect(size.bytes).toBeLessThan(3_000_000)
  })

  test('lists every operation with its rate', async () => {
    const { paths } = await readOpenApiDocument()
    const { body } = await get('/docs/operations')
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { operationId }] of Object.entries(methods)) {
        expect(body).toContain(`#/${methods[method]?.tags?.[0]}/${operationId}">${operationId}</a>`)
        expect(body).toContain(`<code>${method.toUpperCase()} ${path}</code>`)
      }
    }
    expect(body).toMatch(
      /getAccount<\/a><\/td>\s*<td>.*<\/td>\s*<td align="right">0.016<\/td>\s*<td align="right">15<\/td>/,
    )
  })

  test('finds pages by words, the start of a word, and words with a typing error', async () => {
    const search = createSearch((await get('/docs/search.json')).json() as SearchSection[])
    const pagesOf = (query: string) => search(query).map(({ id }) => id.split('#')[0])
    expect(pagesOf('filter expressions')).toContain('notifications')
    expect(search('rotate secrets')[0]?.id).toBe('configuration#rotate-secrets')
    expect(pagesOf('createSubscr')).toContain('operations')
    expect(pagesOf('architecure')).toContain('architecture')
    expect(search('qwertyuiop')).toEqual([])
  })

  test('shows the README of a folder', async () => {
    for (const path of ['/docs/incidents', '/docs/incidents/']) {
      expect((await get(path)).headers.location).toBe('/docs/incidents/readme')
    }
    expect((await get('/docs/images')).statusCode).toBe(404)
  })

  test('is read again only if it changed', async () => {
    const first = await get('/docs/errors')
    const etag = String(first.headers.etag)
    expect(first.headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
    expect(await get('/docs/errors', { 'if-none-match': etag })).toMatchObject({ statusCode: 304, body: '' })
    expect((await get('/docs/tour', { 'if-none-match': etag })).statusCode).toBe(200)
    const head = await souk.inject({ method: 'HEAD', url: '/docs/errors' })
    expect(head).toMatchObject({ statusCode: 200, body: '' })
    expect(head.headers).toMatchObject({ etag, 'content-length': String(Buffer.byteLength(first.body)) })
  })

  test('/docs leads to the start page', async () => {
    expect(await get('/docs')).toMatchObject({ statusCode: 302, headers: { location: '/docs/' } })
  })

  test('serves nothing outside the site, whatever the path', async () => {
    for (const name of ['../secret.json', '../.hidden', '.hidden']) writeFileSync(join(docsFolder, name), 'secret')
    const paths = [
      '../secret.json',
      '..%2fsecret.json',
      '%2e%2e/secret.json',
      '%2e%2e%2fsecret.json',
      '%252e%252e%252fsecret.json',
      '..%5csecret.json',
      'decisions/../../secret.json',
      'decisions/..%2f..%2fsecret.json',
      '/secret.json',
      './tour',
      '.hidden',
      '..%2f.hidden',
      'decisions/',
      'errors.html',
      'errors%00.json',
      'errors%0a',
      encodeURIComponent(join(folder, 'secret.json')),
      join(folder, 'secret.json'),
      'a/'.repeat(2000),
      'a'.repeat(2000),
      'a'.repeat(300),
    ]
    for (const path of paths) {
      // Written by hand, because HTTP clients resolve dots before they send a path.
      const response = await exchange(souk.url, `GET /docs/${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      expect(response, path).toMatch(/^HTTP\/1.1 40[04] /)
      expect(response.length, path).toBeLessThan(1000)
    }
  })
})

test('every link to the documentation that the code or the OpenAPI document contains leads to its page', async () => {
  const texts = [...sourceFiles().map(({ text }) => withoutComments(text)), JSON.stringify(await readOpenApiDocument())]
  const links = new Set(texts.flatMap((text) => text.match(/(?<![\w.])\/docs\/[a-z][\w/-]*(?:#[\w-]+)?/g) ?? []))
  expect([...links]).toEqual(expect.arrayContaining(['/docs/coverage', '/docs/errors', '/docs/notifications#filters']))
  for (const link of links) {
    const [path = '', hash] = link.split('#')
    const { statusCode, body } = await get(path)
    expect(statusCode, link).toBe(200)
    if (hash !== undefined) expect(hasFragment(body, hash), link).toBe(true)
  }
})

test('every page that a message of the commands names is in the package', () => {
  const code = sourceFiles()
    .map(({ text }) => withoutComments(text))
    .join('\n')
  const named = [...code.matchAll(/packageFile\('(docs\/[^']+)'\)/g)].map(([, path]) => path as string)
  expect(named).toContain('docs/configuration.md')
  expect(named.filter((path) => !existsSync(path))).toEqual([])
  // A relative path depends on the folder in which a command runs.
  expect(code.match(/(?<!packageFile\(')\bdocs\/[\w-]+\.md/g)).toBeNull()
})

test('without a built site, /docs/ names the command that builds it, and the operations are documented', async () => {
  await using unbuilt = await startStandIn({ demo: false, docsFolder: join(folder, 'missing') })
  const response = await unbuilt.inject({ url: '/docs/' })
  expect(response.statusCode).toBe(404)
  expect(response.body).toContain('npm run docs')
  expect((await unbuilt.inject({ url: '/docs/try' })).statusCode).toBe(200)
})

test('a link to a missing page or fragment is broken', () => {
  const link = (href: string) => `<h1 id="top"></h1><a href="${href}">`
  const pages = new Map([
    ['a', link('b#top') + link('./') + link('#top') + link('site.css') + link('https://example.org')],
    ['b', link('c') + link('a#bottom') + link('#bottom')],
    ['index', link('try#/x/y')],
  ])
  expect(findBrokenLinks(pages)).toEqual(['b: c', 'b: a#bottom', 'b: #bottom'])
})
