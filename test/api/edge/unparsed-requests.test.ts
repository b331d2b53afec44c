import { pino } from 'pino'
import { expect, test } from 'vitest'
import { exchange } from '../../support/exchange.ts'
import { startTestSouk } from '../../support/souk.ts'

test.each([
  ['text that is not a request', 'GARBAGE\r\n\r\n', 400, 'Invalid method encountered'],
  ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00', 400, 'use http://'],
  ['headers that are too large', `GET / HTTP/1.1\r\nhost: x\r\na: ${'a'.repeat(20_000)}\r\n\r\n`, 431, ''],
])('%s gets a response and a log line with the reason', async (_what, bytes, status, reason) => {
  const lines: string[] = []
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) })
  const souk = await startTestSouk({ logger })
  const answer = await exchange(souk.url, bytes)
  expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
  expect(answer).toContain(reason)
  expect(lines).toHaveLength(1)
  const line = JSON.parse(lines[0] ?? '')
  expect(line).toMatchObject({ status, reason: expect.stringContaining(reason) })
  expect(answer).toContain(`x-amzn-requestid: ${line.requestId}`)
})
