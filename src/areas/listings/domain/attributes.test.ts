import { describe, expect, test } from 'vitest'
import { applyPatch, type Entry, localize } from './attributes.ts'

const selectors = ['marketplace_id', 'language_tag']
const name = (value: string, language_tag?: string): Entry => ({ value, ...(language_tag && { language_tag }) })
const [boot, bota, stiefel] = [name('Boot', 'en'), name('Bota', 'es'), name('Stiefel', 'de')]

describe('localize', () => {
  test('adds the marketplace to entries without one', () => {
    expect(localize([boot, bota], 'US')).toEqual([
      { ...boot, marketplace_id: 'US' },
      { ...bota, marketplace_id: 'US' },
    ])
  })

  test('omits entries for another marketplace', () => {
    const entries = [
      { value: 1, marketplace_id: 'US' },
      { value: 2, marketplace_id: 'DE' },
    ]
    expect(localize(entries, 'DE')).toEqual([{ value: 2, marketplace_id: 'DE' }])
  })

  test('does not modify its arguments', () => {
    const entry = { value: 1 }
    localize([entry], 'US')
    expect(entry).toEqual({ value: 1 })
  })
})

describe('applyPatch', () => {
  test.each(['add', 'replace'] as const)('%s replaces the attribute', (op) => {
    expect(applyPatch([boot, bota], op, [stiefel], selectors)).toEqual([stiefel])
    expect(applyPatch(undefined, op, [stiefel], selectors)).toEqual([stiefel])
  })

  test('merge combines entries with the same selectors and keeps the others', () => {
    const changed = { language_tag: 'es', value: 'Botín', note: 'new' }
    expect(applyPatch([boot, { ...bota, kept: 1 }], 'merge', [changed, stiefel], selectors)).toEqual([
      boot,
      { ...changed, kept: 1 },
      stiefel,
    ])
    expect(applyPatch(undefined, 'merge', [boot], selectors)).toEqual([boot])
    expect(applyPatch([boot], 'merge', [], selectors)).toEqual([boot])
  })

  test('merge treats a missing selector as a value', () => {
    expect(applyPatch([boot], 'merge', [name('Any')], selectors)).toEqual([boot, name('Any')])
    expect(applyPatch([name('Any')], 'merge', [name('Other')], selectors)).toEqual([name('Other')])
  })

  test('merge replaces stored entries when several have the same selectors', () => {
    const points = ['One', 'Two', 'Three'].map((value) => name(value))
    expect(applyPatch([boot, ...points.slice(0, 2)], 'merge', points, selectors)).toEqual([boot, ...points])
    expect(applyPatch(points, 'merge', [name('Only')], selectors)).toEqual([name('Only')])
  })

  test('delete without a value removes the attribute', () => {
    expect(applyPatch([boot], 'delete', undefined, selectors)).toBeUndefined()
    expect(applyPatch(undefined, 'delete', undefined, selectors)).toBeUndefined()
  })

  test('delete removes the matching entries, and the attribute with the last of them', () => {
    expect(applyPatch([boot, bota], 'delete', [{ language_tag: 'es' }], selectors)).toEqual([boot])
    expect(applyPatch([boot, bota], 'delete', [{ language_tag: 'fr' }], selectors)).toEqual([boot, bota])
    expect(applyPatch([boot, bota], 'delete', [{}], selectors)).toBeUndefined()
    expect(applyPatch([boot], 'delete', [], selectors)).toEqual([boot])
    expect(applyPatch(undefined, 'delete', [{}], selectors)).toBeUndefined()
  })

  test('delete matches any value of an omitted selector', () => {
    const offers = [
      { currency: 'USD', audience: 'ALL' },
      { currency: 'USD', audience: 'B2B' },
      { currency: 'EUR', audience: 'ALL' },
    ]
    const remove = (...entries: Entry[]) => applyPatch(offers, 'delete', entries, ['currency', 'audience'])
    expect(remove({ currency: 'USD' })).toEqual([offers[2]])
    expect(remove({ audience: 'B2B' }, { currency: 'EUR' })).toEqual([offers[0]])
    expect(remove({ currency: 'USD', audience: 'ALL' })).toEqual(offers.slice(1))
  })

  test('delete ignores fields that are not selectors', () => {
    expect(applyPatch([boot], 'delete', [{ language_tag: 'en', value: 'Another' }], selectors)).toBeUndefined()
  })

  test.each(['merge', 'delete'] as const)('%s of as many entries as a request can contain is fast', (op) => {
    const many = Array.from({ length: 50_000 }, (_, index) => name('x', `l${index}`))
    expect(applyPatch(many, op, many, selectors)?.length ?? 0).toBe(op === 'merge' ? many.length : 0)
  })
})
