import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { escapeText, SharedText } from './shared-text.ts'

const TEXTS = ['', '{"a":"b\\"c"}', '"\\ \n é 漢 😀 \u2028', '"'.repeat(1_000)]

describe('a text that messages have in common', () => {
  test.each(TEXTS)('is the same whether it was read or escaped: %j', (text) => {
    const escaped = Buffer.from(escapeText(text))
    expect(SharedText.ofText(text).escaped).toEqual(escaped)
    expect(SharedText.ofEscaped(escaped).text).toBe(text)
  })

  test('is the same for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(SharedText.ofEscaped(SharedText.ofText(text).escaped).text).toBe(text)
      }),
    )
  })

  test('is escaped once', () => {
    const shared = SharedText.ofText('"')
    expect(shared.escaped).toBe(shared.escaped)
  })

  test('keeps no memory but its own', () => {
    const { escaped } = SharedText.ofText('short')
    expect(escaped.buffer.byteLength).toBe(escaped.length)
  })

  test('has at most as many bytes as it says, and exactly as many where the text is known', () => {
    for (const text of TEXTS) {
      expect(SharedText.ofText(text).mostBytes).toBe(Buffer.byteLength(text))
      const { escaped } = SharedText.ofText(text)
      expect(SharedText.ofEscaped(escaped).mostBytes).toBeGreaterThanOrEqual(Buffer.byteLength(text))
    }
  })
})
