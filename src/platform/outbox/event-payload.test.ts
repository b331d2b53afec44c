import { expect, test } from 'vitest'
import { EventPayload, splitText } from './event-payload.ts'

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

test('texts that differ at their start are split at the same end, and no text is changed', () => {
  const offers = JSON.stringify(Array.from({ length: 40 }, (_, index) => ({ price: index, text: '"😀"' })))
  const texts = ['A1', 'A22', 'A'.repeat(15)].map((seller) => `{"SellerId":"${seller}","Offers":${offers}}`)
  expect(new Set(texts.map((text) => splitText(text).end)).size).toBe(1)
  for (const text of [...texts, '', '{}', 'x'.repeat(128), 'x'.repeat(193)]) {
    const { start, end } = splitText(text)
    expect(start + end).toBe(text)
  }
})
