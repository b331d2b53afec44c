import { expect, test } from 'vitest'
import { ApiError } from '../../platform/errors/api-error.ts'
import { createPageStateDecoder, encodePageState } from './page-token.ts'
import { OrdersFilter } from './v0/schema.ts'

const TIME = '2026-06-01T12:00:00.000Z'
const decode = createPageStateDecoder(OrdersFilter, 'NextToken')
const stateOf = (SellerOrderId: string) => ({
  query: { MarketplaceIds: ['ATVPDKIKX0DER'], SellerOrderId },
  to: TIME,
  after: [TIME, '900-0000000-0000001'] as [string, string],
  issuedAt: TIME,
})

test('a token is valid though its query spells out the escape of a null character', () => {
  const state = stateOf(String.raw`\u0000`)
  expect(decode('A1', encodePageState('A1', state))).toEqual(state)
})

test('a token that contains a null character is refused', () => {
  expect(() => decode('A1', encodePageState('A1', stateOf('\0')))).toThrow(ApiError)
})
