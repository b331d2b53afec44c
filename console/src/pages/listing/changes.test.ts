import { expect, test } from 'vitest'
import { changesOf, type ListingHistory, pointsOf } from './changes.ts'

const usd = (amount: string) => ({ amount, currencyCode: 'USD' })
const history: ListingHistory = {
  sku: 'S',
  marketplaceId: 'M',
  entries: [
    { from: '2026-06-01T00:00:00.000Z', price: { amount: '9.00', currencyCode: 'EUR' }, quantity: 4 },
    { from: '2026-06-02T00:00:00.000Z', price: usd('10.00'), quantity: 4 },
    { from: '2026-06-03T00:00:00.000Z', price: usd('10.00'), quantity: null },
  ],
  until: '2026-06-04T00:00:00.000Z',
  isComplete: true,
}

test('the plots end now, and have prices of the current currency only', () => {
  expect(pointsOf(history).map(({ time, price, quantity }) => [new Date(time).getUTCDate(), price, quantity])).toEqual([
    [1, null, 4],
    [2, 10, 4],
    [3, 10, null],
    [4, 10, null],
  ])
})

test('changes are listed newest first, each with what changed', () => {
  expect(changesOf(history)).toEqual([
    { from: '2026-06-03T00:00:00.000Z', text: 'quantity 4 → none' },
    { from: '2026-06-02T00:00:00.000Z', text: 'price €9.00 → $10.00' },
  ])
})
