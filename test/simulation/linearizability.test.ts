import { describe, expect, test } from 'vitest'
import { isLinearizable, type Operation } from './linearizability.ts'
import { type ListingInput, listingModel } from './listing-model.ts'

const PUT: ListingInput = { kind: 'change', step: 1, change: 'put', price: 10, quantity: 3 }
const seen = (quantity: number): ListingInput => ({
  kind: 'read',
  listing: { title: 'Boot of step 1', price: 10, quantity },
})
const order = (id: number, quantity: number): ListingInput => ({ kind: 'order', order: id, quantity })

const during = (invokedAt: number, returnedAt: number, input: ListingInput): Operation<ListingInput> => ({
  step: invokedAt,
  input,
  invokedAt,
  returnedAt,
  isCertain: true,
})
const lost = (invokedAt: number, input: ListingInput): Operation<ListingInput> => ({
  ...during(invokedAt, Number.POSITIVE_INFINITY, input),
  isCertain: false,
})
const isExplained = (...operations: Operation<ListingInput>[]) => isLinearizable(listingModel, operations)

describe('the search for a serial order', () => {
  test('accepts reads of what was written before', () => {
    expect(isExplained(during(1, 2, PUT), during(3, 4, order(1, 2)), during(5, 6, seen(1)))).toBe(true)
  })

  test('refuses a read that misses an acknowledged write', () => {
    expect(isExplained(during(1, 2, PUT), during(3, 4, order(1, 2)), during(5, 6, seen(3)))).toBe(false)
  })

  test('accepts both results of a read at the same time as a write, and refuses to go back', () => {
    const writing = [during(1, 2, PUT), during(3, 9, order(1, 2))]
    expect(isExplained(...writing, during(4, 5, seen(3)), during(6, 7, seen(1)))).toBe(true)
    expect(isExplained(...writing, during(4, 5, seen(1)), during(6, 7, seen(3)))).toBe(false)
  })

  test('lets a request without a response happen at any later time, or never, and not twice', () => {
    const ordering = [during(1, 2, PUT), lost(3, order(1, 2))]
    expect(isExplained(...ordering, during(8, 9, seen(3)))).toBe(true)
    expect(isExplained(...ordering, during(8, 9, seen(1)))).toBe(true)
    expect(isExplained(...ordering, during(8, 9, seen(-1)))).toBe(false)
  })

  test('refuses two buyers who both get the last pieces', () => {
    expect(isExplained(during(1, 2, PUT), during(3, 9, order(1, 2)), during(4, 8, order(2, 2)))).toBe(false)
  })

  test('returns the pieces of a canceled order to the listing that they were taken from only', () => {
    const again: ListingInput = { ...PUT, step: 5 }
    const read: ListingInput = { kind: 'read', listing: { title: 'Boot of step 5', price: 10, quantity: 5 } }
    const gone: ListingInput = { kind: 'change', step: 4, change: 'delete' }
    const sold = [during(1, 2, PUT), during(3, 4, order(1, 2))]
    const recreated = [during(5, 6, gone), during(7, 8, again)]
    expect(isExplained(...sold, during(5, 6, { kind: 'cancel', order: 1 }), during(9, 10, seen(3)))).toBe(true)
    expect(isExplained(...sold, ...recreated, during(9, 10, { kind: 'cancel', order: 1 }), during(11, 12, read))).toBe(
      false,
    )
  })
})
