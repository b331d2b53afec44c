import { describe, expect, test } from 'vitest'
import { brandKey, wordsOf } from './search-keys.ts'

describe('wordsOf', () => {
  test.each([
    ['Trail running shoe, grey (42)', ['trail', 'running', 'shoe', 'grey', '42']],
    ['Große Bürste – weiß', ['große', 'bürste', 'weiß']],
    ['full-width ＡＢＣ１２３', ['full', 'width', 'abc123']],
    ['Cafe\u0301 and café', ['café', 'and']],
    ['shoe SHOE Shoe', ['shoe']],
    ['हिन्दी जूते', ['हिन्दी', 'जूते']],
    ['" -- \' %_ \0', []],
    ['', []],
  ])('of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test('are truncated to the maximum length, never within a character', () => {
    const [word] = wordsOf(`${'a'.repeat(49)}${'𐐨'.repeat(10)}`)
    expect(word).toBe(`${'a'.repeat(49)}𐐨`)
  })
})

test('a brand ignores spacing and case, and differs from words', () => {
  expect(brandKey('  Bazaar  SHOES ')).toBe(brandKey('bazaar shoes'))
  expect(wordsOf(brandKey('bazaar'))).not.toContain(brandKey('bazaar'))
})

test('a brand that grows when it is folded stays short enough for an index', () => {
  expect([...brandKey('ﷺ'.repeat(500))].length).toBeLessThan(120)
})
