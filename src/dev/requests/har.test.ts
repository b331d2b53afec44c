import { expect, test } from 'vitest'
import type { Entry } from './entry.ts'
import { writeHar } from './har.ts'

test('the types of bodies have no secrets', async () => {
  const entry = {
    method: 'POST',
    url: '/',
    outcome: 'completed',
    startedAt: 0,
    time: 0,
    requestHeaders: { 'content-type': 'text/a; client_secret=hidden' },
    requestBody: Buffer.from('a'),
    responseHeaders: { 'content-type': 'text/b; client_secret=hidden' },
    responseBody: 'b',
  } as unknown as Entry
  const { log } = JSON.parse(await writeHar([entry], 'http://localhost', '1'))
  const [{ request, response }] = log.entries
  expect(request?.postData?.mimeType).toBe('text/a; client_secret=[redacted]')
  expect(response?.content.mimeType).toBe('text/b; client_secret=[redacted]')
})
