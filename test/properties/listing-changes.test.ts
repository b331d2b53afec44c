import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { applyPatch, type Entry, localize } from '../../src/areas/listings/domain/attributes.ts'
import { parsePatch } from '../../src/areas/listings/submission/patch.ts'
import { ApiError } from '../../src/platform/errors/api-error.ts'
import { anyText, assertProperty } from '../support/property.ts'

const SELECTORS = ['marketplace_id', 'language_tag']
const entry: fc.Arbitrary<Entry> = fc.record(
  {
    marketplace_id: fc.constantFrom('US', 'DE'),
    language_tag: fc.constantFrom('en', 'de', null),
    value: fc.integer({ min: 0, max: 3 }),
    note: fc.integer({ min: 0, max: 3 }),
  },
  { requiredKeys: [] },
)
const entries = fc.array(entry, { maxLength: 6 })
const before = fc.option(entries, { nil: undefined })

const isSame = (one: Entry, other: Entry) => SELECTORS.every((name) => (one[name] ?? null) === (other[name] ?? null))

/** Compares each entry with each, as the rule reads. */
function plainMerge(before: readonly Entry[], given: readonly Entry[]): Entry[] {
  const untouched = before.filter((one) => !given.some((other) => isSame(one, other)))
  const merged = given.map((one) => {
    const stored = before.filter((other) => isSame(one, other))
    const isOnly = given.filter((other) => isSame(one, other)).length === 1
    return stored.length === 1 && isOnly ? { ...stored[0], ...one } : one
  })
  return [...untouched, ...merged]
}

const matches = (one: Entry, given: Entry) =>
  SELECTORS.every((name) => !Object.hasOwn(given, name) || (one[name] ?? null) === given[name])

const sorted = (entries: readonly Entry[]) => entries.map((one) => JSON.stringify(Object.entries(one).sort())).sort()

describe('a patch of an attribute', () => {
  test('merges as the rule reads, in any order of the entries, and again with the same result', () => {
    assertProperty(
      fc.property(before, entries, (before, given) => {
        const merged = applyPatch(before, 'merge', given, SELECTORS) ?? []
        expect(sorted(merged)).toEqual(sorted(plainMerge(before ?? [], given)))
        const reversed = applyPatch(before?.toReversed(), 'merge', given.toReversed(), SELECTORS) ?? []
        expect(sorted(reversed)).toEqual(sorted(merged))
        const again = applyPatch(merged, 'merge', given, SELECTORS) ?? []
        expect(sorted(again)).toEqual(sorted(merged))
      }),
      300,
    )
  })

  test('keeps the order of entries with the same selectors, such as bullet points', () => {
    assertProperty(
      fc.property(before, entries, (before, given) => {
        const merged = applyPatch(before, 'merge', given, SELECTORS) ?? []
        for (const one of given) {
          const alike = (list: readonly Entry[]) => list.filter((other) => isSame(one, other)).map(({ value }) => value)
          if (alike(given).length > 1) expect(alike(merged)).toEqual(alike(given))
        }
      }),
    )
  })

  test('deletes what its selectors match, and nothing else', () => {
    assertProperty(
      fc.property(before, entries, (before, given) => {
        const left = (before ?? []).filter((one) => !given.some((other) => matches(one, other)))
        expect(applyPatch(before, 'delete', given, SELECTORS)).toEqual(left.length > 0 ? left : undefined)
      }),
      300,
    )
  })

  test('changes neither the stored entries nor those of the request', () => {
    const op = fc.constantFrom('add' as const, 'replace' as const, 'merge' as const, 'delete' as const)
    assertProperty(
      fc.property(before, entries, op, (before, given, op) => {
        const text = JSON.stringify([before, given])
        applyPatch(before, op, given, SELECTORS)
        expect(JSON.stringify([before, given])).toBe(text)
      }),
    )
  })

  test('reaches each marketplace of the request, and no other', () => {
    assertProperty(
      fc.property(entries, (given) => {
        const own = localize(given, 'US')
        for (const one of own) expect(one.marketplace_id).toBe('US')
        expect(own).toHaveLength(given.filter(({ marketplace_id: id }) => id === undefined || id === 'US').length)
        expect(localize(own, 'US')).toEqual(own)
      }),
    )
  })

  test('has the path of one attribute, or is a documented error', () => {
    const path = fc.oneof(
      anyText(),
      anyText().map((text) => `/attributes/${text}`),
    )
    assertProperty(
      fc.property(path, (path) => {
        try {
          const { attribute } = parsePatch({ op: 'replace', path, value: [] }, 0)
          expect(path).toBe(`/attributes/${attribute}`)
          expect(attribute).not.toMatch(/\/|^$/)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      }),
    )
  })
})
