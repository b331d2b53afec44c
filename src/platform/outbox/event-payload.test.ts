import { expect, test } from 'vitest'
import { EventPayload } from './event-payload.ts'

test('a payload created from text keeps its text and is parsed once', () => {
  const text = '{ "SKU": "A 1" }'
  const payload = EventPayload.ofText(text)
  expect(payload.text).toBe(text)
  expect(payload.value).toEqual({ SKU: 'A 1' })
  expect(payload.value).toBe(payload.value)
})

test('a payload created from a value keeps its value and is serialized once', () => {
  let serializations = 0
  const value = { toJSON: () => ({ count: ++serializations }) }
  const payload = EventPayload.ofValue(value)
  expect(payload.value).toBe(value)
  expect([payload.text, payload.text]).toEqual(['{"count":1}', '{"count":1}'])
})
