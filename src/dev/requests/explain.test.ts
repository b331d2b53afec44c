import { expect, test } from 'vitest'
import { invalidParameter } from '../../platform/errors/api-error.ts'
import type { Entry } from './entry.ts'
import { explain } from './explain.ts'

const refused = {
  method: 'GET',
  url: '/products/pricing/v0/items/B000000001/offers',
  params: {},
  query: {},
  requestHeaders: {},
  caller: { kind: 'seller' },
  thrown: invalidParameter('Asin', 'is not a product of the marketplace', { kind: 'asin', id: 'B000000001' }),
} as unknown as Entry

test('the nearest request never has the id that was refused, also if it is known elsewhere', async () => {
  const near = await explain(refused, async () => ['B000000001', 'B000000002'])
  expect(near?.nearest?.url).toBe('/products/pricing/v0/items/B000000002/offers')
  const none = await explain(refused, async () => ['B000000001'])
  expect(none).toMatchObject({ facts: { nearest: null }, nearest: { first: expect.stringContaining('catalog') } })
})
