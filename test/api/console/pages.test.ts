import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const folder = mkdtempSync(join(tmpdir(), 'souk-console-'))
const dist = join(folder, 'dist')
mkdirSync(join(dist, 'assets'), { recursive: true })
writeFileSync(join(folder, 'secret.txt'), 'not to be served')
writeFileSync(
  join(dist, 'index.html'),
  '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><style nonce="__CSP_NONCE__"></style>',
)
writeFileSync(join(dist, 'assets', 'index-DkY3_x9-.js'), 'export {}')
writeFileSync(join(dist, 'favicon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
afterAll(() => rmSync(folder, { recursive: true }))

describe('the pages of the console', () => {
  let souk: TestSouk
  beforeAll(async () => {
    souk = await startTestSouk({ consoleFolder: dist })
  })

  test.each([
    '/console/',
    '/console/orders',
    '/console/listings/A.B%2FC.js/edit',
    '/console/index.html',
    '/console/a..b/c',
  ])('%s is the page, which shows what its address names', async (path) => {
    const response = await souk.get(path)
    expect(response).toMatchObject({ statusCode: 200, body: expect.stringContaining('<!doctype html>') })
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
    })
  })

  test('allow only styles with the nonce of their response, and nothing of other sites', async () => {
    const [first, second] = [await souk.get('/console/'), await souk.get('/console/')]
    const nonces = [first, second].map(({ body, headers }) => {
      const [, nonce] = /content="([\w-]{24})"/.exec(body) ?? []
      expect(body).toBe(`<!doctype html><meta name="csp-nonce" content="${nonce}"><style nonce="${nonce}"></style>`)
      expect(headers['content-security-policy']).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; ` +
          "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      )
      return nonce
    })
    expect(nonces[0]).not.toBe(nonces[1])
  })

  test('assets are cached forever, and other files are asked for again', async () => {
    const asset = await souk.get('/console/assets/index-DkY3_x9-.js')
    expect(asset.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    const icon = await souk.get('/console/favicon.svg')
    expect(icon.headers).toMatchObject({ 'content-type': 'image/svg+xml', 'cache-control': 'no-cache' })
    const again = await souk.get('/console/favicon.svg', { headers: { 'if-none-match': String(icon.headers.etag) } })
    expect(again).toMatchObject({ statusCode: 304, body: '' })
  })

  test.each([
    '/console/assets/index-old.js',
    '/console/assets/',
    '/console/assets/..%2f..%2fsecret.txt',
    '/console/..%2fsecret.txt',
    '/console/assets/%2e%2e/%2e%2e/secret.txt',
    '/console/.env',
    `/console/assets/${'a'.repeat(300)}.js`,
  ])('%s is no file of the console', async (path) => {
    const response = await souk.get(path)
    expect(response.body).not.toContain('not to be served')
    if (response.statusCode !== 200) expect(errorOf(response)).toMatchObject({ status: 404, code: 'NotFound' })
    else expect(response.body).toContain('<!doctype html>')
  })

  test('the start page of souk dev is the console', async () => {
    expect((await souk.get('/')).headers.location).toBe('/console/')
    expect((await souk.get('/console')).headers.location).toBe('/console/')
  })

  test('an unknown operation of the console is an error with the nearest one, and no page', async () => {
    expect(errorOf(await souk.get('/console/v1/sesion'))).toMatchObject({
      status: 404,
      details: 'Did you mean /console/v1/session?',
    })
    expect(errorOf(await souk.put('/console/orders')).status).toBe(404)
  })

  test('a console that is not built says how to build it', async () => {
    const unbuilt = await startTestSouk({ consoleFolder: join(folder, 'nowhere') })
    for (const path of ['/console/', '/console/assets/a.js']) {
      expect(errorOf(await unbuilt.get(path))).toMatchObject({ status: 404, message: 'The console is not built.' })
    }
  })
})
