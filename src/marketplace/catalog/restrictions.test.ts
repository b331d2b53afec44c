import { describe, expect, test } from 'vitest'
import type { Restriction } from './item.ts'
import { restrictionsFor } from './restrictions.ts'

const ME = 'AME'
const reason = 'APPROVAL_REQUIRED'
const binds = (restriction: Restriction, conditionType?: string) =>
  restrictionsFor({ restrictions: [restriction] }, ME, conditionType).length === 1

describe('restrictionsFor', () => {
  test('finds none where there are none', () => {
    expect(restrictionsFor({}, ME)).toEqual([])
    expect(restrictionsFor({ restrictions: [] }, ME, 'new_new')).toEqual([])
  })

  test('a restriction binds every seller in every condition unless it says otherwise', () => {
    expect(binds({ reason })).toBe(true)
    expect(binds({ reason }, 'used_good')).toBe(true)
  })

  test('a restriction of some conditions leaves the others free', () => {
    const restriction: Restriction = { reason, conditionTypes: ['used_good', 'used_acceptable'] }
    expect(binds(restriction)).toBe(true)
    expect(binds(restriction, 'used_good')).toBe(true)
    expect(binds(restriction, 'new_new')).toBe(false)
  })

  test('a restriction of some sellers leaves the others free, and so does an exemption', () => {
    expect(binds({ reason, sellerIds: [ME] })).toBe(true)
    expect(binds({ reason, sellerIds: ['ANOTHER'] })).toBe(false)
    expect(binds({ reason, sellerIds: [] })).toBe(false)
    expect(binds({ reason, exemptSellerIds: ['ANOTHER'] })).toBe(true)
    expect(binds({ reason, exemptSellerIds: [ME] })).toBe(false)
    expect(binds({ reason, sellerIds: [ME], exemptSellerIds: [ME] })).toBe(false)
  })
})
