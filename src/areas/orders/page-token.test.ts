import { describe, expect, test } from 'vitest'
import { ApiError } from '../../platform/errors/api-error.ts'
import { createPageStateDecoder, encodePageState, requireSameQuery } from './page-token.ts'
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

test('a token is refused if it is damaged, of another seller, or has invalid fields', () => {
  const token = encodePageState('A1', stateOf('order'))
  const refusal = expect.objectContaining({
    field: 'NextToken',
    reason: 'NextToken was not issued by this service to this seller.',
  })
  for (const damaged of ['', '.', 'x', token.slice(1), token.slice(0, -1), token.slice(0, token.indexOf('.'))]) {
    expect(() => decode('A1', damaged)).toThrow(refusal)
  }
  expect(() => decode('A2', token)).toThrow(refusal)
  const forge = (change: object) => encodePageState('A1', { ...stateOf('order'), ...change })
  for (const change of [{ to: 'x' }, { issuedAt: 'x' }, { after: ['x', 'x'] }, { after: [TIME] }, { query: 1 }]) {
    expect(() => decode('A1', forge(change))).toThrow(refusal)
  }
})

describe('a query with a token', () => {
  const first = { MarketplaceIds: ['A', 'B'], SellerOrderId: 'order' }

  test('may repeat parameters of the first page, lists in any order', () => {
    for (const given of [{}, first, { MarketplaceIds: ['B', 'A'] }, { SellerOrderId: undefined, Other: undefined }]) {
      expect(() => requireSameQuery(first, given, 'NextToken')).not.toThrow()
    }
  })

  test('is refused for a parameter that differs, which the error names', () => {
    for (const [name, value] of [
      ['MarketplaceIds', ['A']],
      ['SellerOrderId', 'other'],
      ['Other', 'new'],
    ] as const) {
      const request = () => requireSameQuery(first, { [name]: value }, 'NextToken')
      expect(request).toThrow(ApiError)
      expect(request).toThrow(expect.objectContaining({ field: name }))
      expect(request).toThrow(
        expect.objectContaining({
          details: expect.stringContaining('differs from the request that returned this NextToken'),
        }),
      )
    }
  })

  test('leaves the lists of both as they are', () => {
    const given = { MarketplaceIds: ['B', 'A'] }
    requireSameQuery(first, given, 'NextToken')
    expect([first.MarketplaceIds, given.MarketplaceIds]).toEqual([
      ['A', 'B'],
      ['B', 'A'],
    ])
  })
})
