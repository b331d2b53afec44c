import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { isTimestamp, parseTimestamp } from './timestamps.ts'

test.each([
  ['2026-06-01', '2026-06-01T00:00:00.000Z'],
  ['2026-06-01T12:30', '2026-06-01T12:30:00.000Z'],
  ['2026-06-01T12:30:15', '2026-06-01T12:30:15.000Z'],
  ['2026-06-01T12:30:15.123456', '2026-06-01T12:30:15.123Z'],
  ['2026-06-01T12:30:15Z', '2026-06-01T12:30:15.000Z'],
  ['2026-06-01T12:30:15+02:00', '2026-06-01T10:30:15.000Z'],
  ['2026-06-01T12:30:15-0530', '2026-06-01T18:00:15.000Z'],
])('%s is %s: a time without a zone is in UTC', (text, moment) => {
  expect(isTimestamp(text)).toBe(true)
  expect(parseTimestamp(text).toISOString()).toBe(moment)
})

test('a time without a zone is in UTC, whatever the zone of the machine', () => {
  const module = JSON.stringify(new URL('timestamps.ts', import.meta.url).href)
  const script = `import { parseTimestamp } from ${module}
    console.log(['2026-06-01T12:30', '2026-06-01'].map((text) => parseTimestamp(text).toISOString()).join())`
  // A process of its own, because a worker thread does not see a change of TZ.
  const args = ['--input-type=module', '--disable-warning=ExperimentalWarning', '--eval', script]
  const printed = execFileSync(process.execPath, args, { env: { ...process.env, TZ: 'Asia/Tokyo' }, encoding: 'utf8' })
  expect(printed.trim()).toBe('2026-06-01T12:30:00.000Z,2026-06-01T00:00:00.000Z')
})

test.each([
  '',
  'now',
  '2026-6-1',
  ' 2026-06-01',
  '2026-02-30',
  '2026-06-01T25:00:00Z',
  '2026-06-01 12:00:00',
  '20260601T120000Z',
  '2026-06-01T12',
  '9999-12-31T23:59:59-14:00',
  '0000-01-01T00:00:00+14:00',
])('"%s" is not a time that can be stored', (text) => {
  expect(isTimestamp(text)).toBe(false)
})
