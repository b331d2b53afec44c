import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { asCurl, asFetch } from './as-code.ts'

const ORIGIN = 'http://127.0.0.1:4700'

const request = (body?: string) => ({
  method: 'PATCH',
  path: '/listings/2021-08-01/items/S1/SKU-1',
  query: 'marketplaceIds=ATVPDKIKX0DER&x=1',
  request: {
    headers: {
      host: '127.0.0.1',
      'content-length': '12',
      'content-type': 'application/json',
      'x-amz-access-token': 'Atza|[redacted]',
    },
    bytes: 12,
    ...(body !== undefined && { body }),
  },
})

test('a copied command has the URL, the headers that matter and the body, and takes the token from a variable', () => {
  expect(asCurl(request('{"a":1}'), ORIGIN)).toBe(
    [
      "curl -X PATCH 'http://127.0.0.1:4700/listings/2021-08-01/items/S1/SKU-1?marketplaceIds=ATVPDKIKX0DER&x=1'",
      "  -H 'content-type: application/json'",
      '  -H "x-amz-access-token: $ACCESS_TOKEN"',
      `  --data-raw '{"a":1}'`,
    ].join(' \\\n'),
  )
})

test('a shell runs nothing that a client has sent in a body', () => {
  const body = `'; echo "$(whoami)" \`whoami\` \\`
  const command = asCurl(request(body), ORIGIN).replace(/^curl/, `printf '%s\\n'`)
  const printed = execFileSync('/bin/sh', ['-c', command], { encoding: 'utf8' })
  expect(printed.split('\n').at(-2)).toBe(body)
})

test('copied code sends what was sent', async () => {
  const body = JSON.stringify({ text: `it's "quoted" \\ \u2028 and </script>` })
  const sent: unknown[] = []
  const fetch = async (url: string, init: unknown) => {
    sent.push(url, init)
    return new Response('')
  }
  const run = new Function('fetch', 'process', 'console', `return (async () => {${asFetch(request(body), ORIGIN)}})()`)
  await run(fetch, { env: { ACCESS_TOKEN: 'token' } }, { log() {} })
  expect(sent).toEqual([
    'http://127.0.0.1:4700/listings/2021-08-01/items/S1/SKU-1?marketplaceIds=ATVPDKIKX0DER&x=1',
    { method: 'PATCH', headers: { 'content-type': 'application/json', 'x-amz-access-token': 'token' }, body },
  ])
})
