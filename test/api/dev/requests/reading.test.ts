import { expect, test } from 'vitest'
import { startTestSouk } from '../../../support/souk.ts'

const souk = await startTestSouk()
const token = await souk.tokenFor(souk.demo.refreshToken)
const json = { 'content-type': 'application/json' }

// Each text is JSON of its own, in which a secret may be.
const body = JSON.stringify({ reportType: 'A', texts: Array(3_000).fill(JSON.stringify({ token: 1 })) })

test.each<[what: string, path: string, expectations?: readonly object[]]>([
  ['lists them by a text in them', '/_souk/requests?q=absent'],
  ['exports them', '/_souk/requests.har'],
  ['verifies them', '/_souk/verify', [{ q: 'absent', count: { exactly: 0 } }]],
  [
    'compares them with those that are missing',
    '/_souk/verify',
    Array.from({ length: 20 }, (_, index) => ({ body: { reportType: String(index) } })),
  ],
])('a reader of many long requests that %s does not keep others waiting', async (_what, path, expectations) => {
  await souk.requests.clear()
  const headers = { ...json, 'x-amz-access-token': token }
  for (let left = 40; left > 0; left--)
    await (await fetch(`${souk.url}/reports/2021-06-30/reports`, { method: 'POST', headers, body })).text()
  let isRead = false
  const request = expectations && { method: 'POST', headers: json, body: JSON.stringify({ expectations }) }
  const read = fetch(`${souk.url}${path}`, request).then(async (response) => {
    isRead = true
    await response.text()
    return response.status
  })
  for (let left = 5; left > 0; left--) await (await fetch(`${souk.url}/healthz`)).text()
  expect(isRead).toBe(false)
  expect([200, 406]).toContain(await read)
})
