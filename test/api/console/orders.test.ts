import { beforeAll, describe, expect, test } from 'vitest'
import { OrdersClient } from '../../support/order-client.ts'
import { DAY, DE, putResources, registerSeller, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

const PATH = '/console/v1/orders'
const STATUSES = ['Pending', 'Unshipped', 'Shipped', 'Canceled', 'Shipped'] as const

let souk: TestSouk
let client: OrdersClient
const id = (index: number) => `940-0000000-${String(index).padStart(7, '0')}`

beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk, await registerSeller(souk, 'ANEWEST', [US, DE]), 'ANEWEST')
  const orders = STATUSES.map((status, index) =>
    client.build({
      orderId: id(index),
      status,
      purchasedAt: client.ago((4 - index) * DAY),
      fulfillmentChannel: index === 2 ? 'AFN' : 'MFN',
      takesStock: false,
      buyer: { name: `Buyer ${index}` },
      ...(index === 1 && { marketplaceId: DE, currencyCode: 'EUR' }),
      ...(index === 4 && { deliveredAt: client.ago(0) }),
    }),
  )
  await putResources(souk, 'orders', orders)
})

const list = (query = '') => client.body(`${PATH}?${query}`)
const act = (name: string, payload: object) =>
  souk.post(`/operator/v1/acts/${name}`, { headers: { ...souk.operator }, payload })
const idsOf = ({ orders }: { orders: { orderId: string }[] }) => orders.map(({ orderId }) => orderId)

describe('The orders of the console', () => {
  test('are listed newest first, with those of this moment', async () => {
    const { orders } = await list()
    expect(idsOf({ orders })).toEqual([4, 3, 2, 1, 0].map(id))
    expect(orders[0]).toMatchObject({
      buyer: { buyerName: 'Buyer 4' },
      fulfillment: { fulfillmentStatus: 'SHIPPED' },
      proceeds: { grandTotal: { currencyCode: 'USD' } },
    })
  })

  test('come in pages that neither repeat nor skip one', async () => {
    const first = await list('pageSize=2')
    const second = await list(`pageSize=2&pageToken=${first.nextToken}`)
    const third = await list(`pageSize=2&pageToken=${second.nextToken}`)
    expect([first, second, third].flatMap(idsOf)).toEqual([4, 3, 2, 1, 0].map(id))
    expect(third).not.toHaveProperty('nextToken')
  })

  test.each<[string, () => string, number[]]>([
    ['statuses', () => 'fulfillmentStatuses=SHIPPED,CANCELLED', [4, 3, 2]],
    ['marketplaces', () => `marketplaceIds=${DE}`, [1]],
    ['a period', () => `createdAfter=${client.ago(3 * DAY)}&createdBefore=${client.ago(2 * DAY)}`, [2, 1]],
    ['an id', () => `orderId=${id(3)}`, [3]],
    ['an id that does not exist', () => 'orderId=nothing', []],
  ])('are selected by %s', async (_what, query, expected) => {
    expect(idsOf(await list(query()))).toEqual(expected.map(id))
  })

  test('refuse a foreign page token and a period that ends before it starts', async () => {
    const reversed = `createdAfter=${client.ago(DAY)}&createdBefore=${client.ago(2 * DAY)}`
    for (const query of ['pageToken=nonsense', reversed]) {
      expect(errorOf(await client.get(`${PATH}?${query}`))).toMatchObject({ status: 400, code: 'InvalidInput' })
    }
  })

  test('have a history of their delivery, returns and feedback, for their seller only', async () => {
    const order = { orderId: id(4), sellerId: 'ANEWEST' }
    await act('buyer/return', order)
    await act('buyer/leaveFeedback', { ...order, rating: 2, comment: 'Too small' })
    expect(await client.body(`${PATH}/${id(4)}`)).toMatchObject({
      status: 'Shipped',
      deliveredAt: client.ago(0),
      returns: [{ status: 'Approved', items: [{ quantity: 3 }, { quantity: 1 }] }],
      feedback: { rating: 2, comment: 'Too small' },
    })
    expect(errorOf(await new OrdersClient(souk).get(`${PATH}/${id(4)}`)).status).toBe(404)
    expect(idsOf(await new OrdersClient(souk).body(`${PATH}?orderId=${id(4)}`))).toEqual([])
  })
})
