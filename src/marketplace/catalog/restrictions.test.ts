import { describe, expect, test } from 'vitest'
import type { Restriction } from './item.ts'
import { restrictionsFor } from './restrictions.ts'

const ME = 'AME'
const reason = 'APPROVAL_REQUIRED'
const binds = (restriction: Restriction, conditionType?: string) =>
  restrictionsFor({ restrictions: [restriction] }, ME, conditionType).length === 1

describe('restrictionsFor', () => {
  test('returns an empty list without restrictions', () => {
    expect(restrictionsFor({}, ME)).toEqual([])
    expect(restrictionsFor({ restrictions: [] }, ME, 'new_new')).toEqual([])
  })

  test('a restriction applies to every seller in every condition by default', () => {
    expect(binds({ reason })).toBe(true)
    expect(binds({ reason }, 'used_good')).toBe(true)
  })

  test('a restriction of some conditions does not apply to others', () => {
    const restriction: Restriction = { reason, conditionTypes: ['used_good', 'used_acceptable'] }
    expect(binds(restriction)).toBe(true)
    expect(binds(restriction, 'used_good')).toBe(true)
    expect(binds(restriction, 'new_new')).toBe(false)
  })

  test('a restriction of some sellers does not apply to others or to exempt sellers', () => {
    expect(binds({ reason, sellerIds: [ME] })).toBe(true)
    expect(binds({ reason, sellerIds: ['ANOTHER'] })).toBe(false)
    expect(binds({ reason, sellerIds: [] })).toBe(false)
    expect(binds({ reason, exemptSellerIds: ['ANOTHER'] })).toBe(true)
    expect(binds({ reason, exemptSellerIds: [ME] })).toBe(false)
    expect(binds({ reason, sellerIds: [ME], exemptSellerIds: [ME] })).toBe(false)
  })
})
