import type { FastifyRequest } from 'fastify'
import { describe, expect, test } from 'vitest'
import { factsOf, subjectsIn } from './request-facts.ts'

const requestOf = (fields: object) => fields as FastifyRequest

describe('the facts of a request', () => {
  test('are the operation, the caller, and the ids of the path', () => {
    const facts = factsOf(
      requestOf({
        routeOptions: { schema: { operationId: 'getListingsItem' } },
        caller: { kind: 'seller', applicationId: 'app', sellerId: 'A1' },
        params: { sellerId: 'A1', sku: 'SKU-1' },
        query: {},
      }),
    )
    expect(facts).toEqual({
      operation: 'getListingsItem',
      applicationId: 'app',
      sellerId: 'A1',
      subjects: { sku: ['SKU-1'] },
    })
  })

  test('have the client id of a request for a token, and no application', () => {
    const facts = factsOf(
      requestOf({ routeOptions: { schema: { operationId: 'createToken' } }, body: { client_id: 'client' } }),
    )
    expect(facts).toEqual({ operation: 'createToken', clientId: 'client', subjects: {} })
  })

  test.each(['nextToken', 'NextToken', 'pageToken', 'paginationToken'])('say that %s asks for a next page', (name) => {
    expect(factsOf(requestOf({ query: { [name]: 'x' } }))).toMatchObject({ nextPage: true })
  })

  test('name the operation of a request without a route unknown', () => {
    expect(factsOf(requestOf({}))).toEqual({ operation: 'unknown', subjects: {} })
  })
})

describe('the ids of a request', () => {
  test('are found under the names of all APIs, in parameters and in bodies', () => {
    expect(subjectsIn({ amazonOrderId: 'o-1' }, { AmazonOrderIds: ['o-2', 'o-1'] })).toEqual({
      orderId: ['o-1', 'o-2'],
    })
    expect(subjectsIn({ SellerSKU: 'SKU-1', Asins: 'B1,B2' })).toMatchObject({ sku: ['SKU-1'] })
    expect(subjectsIn({ inputFeedDocumentId: 'd', feedType: 'X' })).toEqual({ documentId: ['d'], feedType: ['X'] })
  })

  test('are found in a list before and after validation', () => {
    expect(subjectsIn({ Asins: 'B1,B2' }).asin).toEqual(['B1', 'B2'])
    expect(subjectsIn({ sku: 'A,B' }).sku).toEqual(['A,B'])
    expect(subjectsIn({ Asins: ['B1', 'B2'] }).asin).toEqual(['B1', 'B2'])
  })

  test('are found in the elements of a batch', () => {
    const requests = [
      { asin: 'B1' },
      { uri: '/products/pricing/v0/items/B2/offers' },
      { uri: '/products/pricing/v0/listings/SKU%2F1/offers' },
    ]
    expect(subjectsIn({ requests })).toEqual({ asin: ['B1', 'B2'], sku: ['SKU/1'] })
  })

  test('are those of the type that a search names', () => {
    expect(subjectsIn({ identifiers: ['A'], identifiersType: 'SKU' })).toEqual({ sku: ['A'] })
    expect(subjectsIn({ identifiers: ['A'], identifiersType: 'EAN' })).toEqual({})
  })

  test('include the document of a link', () => {
    expect(subjectsIn({ '*': 'reports/doc-1' })).toEqual({ documentId: ['doc-1'] })
  })

  test('are few, whatever a request contains', () => {
    const skus = Array.from({ length: 5_000 }, (_, index) => `SKU-${index}`)
    expect(subjectsIn({ skus }).sku).toHaveLength(100)
    expect(subjectsIn({ sku: 'x'.repeat(2_000), requests: [null, 3, 'text'] }, null, 'text')).toEqual({})
  })
})
