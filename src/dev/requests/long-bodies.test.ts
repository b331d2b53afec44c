import { expect, test } from 'vitest'
import { LongBodies } from './long-bodies.ts'

const MEGABYTE = 1024 * 1024
const textOf = (number: number, length: number) => String(number).padEnd(length, String(number % 10))

test('a long body is cut at a whole character, and a buffer at a byte', () => {
  const bodies = new LongBodies(MEGABYTE)
  const text = bodies.keep('äää', 5)
  const buffer = bodies.keep(Buffer.from('äää'), 5)
  expect(bodies.find(text)?.toString()).toBe('ää')
  expect(bodies.find(buffer)).toEqual(Buffer.from('äää').subarray(0, 5))
})

test('the last bodies up to the limit are kept, and no body is ever that of another', () => {
  const bodies = new LongBodies(4 * MEGABYTE)
  const length = 65_000
  const kept = Array.from({ length: 500 }, (_, number) => bodies.keep(textOf(number, length), 64 * 1024))
  const found = kept.map((body) => bodies.find(body)?.toString())
  const firstFound = found.findIndex((text) => text !== undefined)
  expect(found.slice(firstFound)).toEqual(
    Array.from({ length: 500 - firstFound }, (_, index) => textOf(firstFound + index, length)),
  )
  expect((500 - firstFound) * length).toBeGreaterThanOrEqual(4 * MEGABYTE)
})

test('a body that was read does not change when its place is written again', () => {
  const bodies = new LongBodies(MEGABYTE)
  const first = bodies.find(bodies.keep('first', 100))
  for (let count = 0; count < 1_000; count++) bodies.keep('x'.repeat(64 * 1024), 64 * 1024)
  expect(first?.toString()).toBe('first')
})
