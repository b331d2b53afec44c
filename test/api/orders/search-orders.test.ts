import { beforeAll, describe, expect, test } from 'vitest'
import { OrdersClient, V2026 } from '../../support/order-client.ts'
import { conformsTo, modelsArePresent } from '../../support/public-models.ts'
import { DAY, DE, HOUR, MINUTE, putResources, registerSeller, US } from '../../support/seller-client.ts'
import { errorOf, startTestSouk, type TestSouk } from '../../support/souk.ts'

let souk: TestSouk
let client: OrdersClient
const id = (index: number) => `930-0000000-${String(index).padStart(7, '0')}`

beforeAll(async () => {
  souk = await startTestSouk()
  client = new OrdersClient(souk, await registerSeller(souk, 'ASEARCH', [US, DE]), 'ASEARCH')
  const orders = ['Pending', 'Unshipped', 'Shipped', 'InvoiceUnconfirmed', 'Canceled'].map((status, index) =>
    client.build({
      orderId: id(index),
      status: status as 'Pending',
      purchasedAt: client.ago((5 - index) * DAY),
      fulfillmentChannel: index === 2 ? 'AFN' : 'MFN',
      ...(index === 1 && { marketplaceId: DE, currencyCode: 'EUR' }),
    }),
  )
  await putResources(souk, 'orders', orders)
})

const search = (query: string) => client.body(`${V2026}?${query}`)
const found = async (query: string) => (await search(query)).orders.map(({ orderId }: { orderId: string }) => orderId)
const created = () => `createdAfter=${client.ago(30 * DAY)}`

describe('searchOrders', () => {
  test('finds nothing for a seller without a marketplace', async () => {
    const nowhere = new OrdersClient(souk, await registerSeller(souk, 'ANOWHERE', []), 'ANOWHERE')
    expect(await nowhere.body(`${V2026}?${created()}`)).toMatchObject({ orders: [] })
  })

  test.each<[string, string, number[]]>([
    ['nothing else: in all marketplaces', '', [0, 1, 2, 3, 4]],
    ['marketplaces', `&marketplaceIds=${DE}`, [1]],
    ['statuses: an unconfirmed invoice is SHIPPED', '&fulfillmentStatuses=SHIPPED,PENDING', [0, 2, 3]],
    ['cancellation', '&fulfillmentStatuses=CANCELLED', [4]],
    ['who fulfills', '&fulfilledBy=AMAZON', [2]],
  ])('selects by the period and %s', async (_what, query, expected) => {
    expect(await found(created() + query)).toEqual(expected.map(id))
  })

  test('returns pages with data sets, for 24 hours', async () => {
    const first = await search(`${created()}&maxResultsPerPage=3&includedData=FULFILLMENT,PACKAGES`)
    expect(first.createdBefore).toBe(client.ago(2 * MINUTE))
    if (modelsArePresent) conformsTo('orders_2026-01-01.json', 'SearchOrdersResponse', first)
    const next = `paginationToken=${encodeURIComponent(first.pagination.nextToken)}`
    const second = await search(next)
    expect(second).not.toHaveProperty('pagination')
    expect(second.orders.map(({ fulfillment }: { fulfillment: object }) => fulfillment)).toMatchObject([
      { fulfillmentStatus: 'SHIPPED' },
      { fulfillmentStatus: 'CANCELLED' },
    ])
    const other = new OrdersClient(souk)
    expect(errorOf(await other.get(`${V2026}?${next}`))).toMatchObject({ status: 400 })
    expect(errorOf(await client.get(`${V2026}?${next}&fulfilledBy=AMAZON`))).toMatchObject({ status: 400 })
    souk.clock.advance(24 * HOUR + 1)
    expect(errorOf(await client.get(`${V2026}?${next}`))).toMatchObject({
      status: 400,
      details: 'paginationToken has expired: it is valid for 24 hours.',
    })
  })

  test.each<[string, () => string, string]>([
    ['no period', () => '', 'createdAfter or lastUpdatedAfter is required'],
    ['both periods', () => `${created()}&lastUpdatedAfter=2026-05-01`, 'lastUpdatedAfter cannot be combined'],
    ['the future', () => `createdAfter=${client.ago(-HOUR)}`, 'two minutes'],
    ['an end in the future', () => `${created()}&createdBefore=${client.ago(-HOUR)}`, 'two minutes'],
    ['an end before the beginning', () => `${created()}&createdBefore=2020-01-01`, 'must not be before createdAfter'],
    ['only an end', () => 'lastUpdatedBefore=2026-05-01', 'createdAfter or lastUpdatedAfter is required'],
    ['the end of the other period', () => `${created()}&lastUpdatedBefore=2026-05-01`, 'lastUpdatedBefore cannot be'],
    ['a date that is none', () => 'createdAfter=yesterday', 'ISO 8601'],
    ['an unknown marketplace', () => `${created()}&marketplaceIds=NOWHERE`, 'NOWHERE does not exist'],
    ['51 marketplaces', () => `${created()}&marketplaceIds=${Array(51).fill(US)}`, 'marketplaceIds'],
    ['no results', () => `${created()}&maxResultsPerPage=0`, 'maxResultsPerPage'],
    ['an unknown status', () => `${created()}&fulfillmentStatuses=Shipped`, 'fulfillmentStatuses'],
    ['an unknown party', () => `${created()}&fulfilledBy=ME`, 'fulfilledBy'],
    ['an unknown data set', () => `${created()}&includedData=ALL`, 'includedData'],
    ['101 results', () => `${created()}&maxResultsPerPage=101`, 'maxResultsPerPage'],
    ['a token that is none', () => 'paginationToken=e30.x', 'paginationToken was not issued'],
  ])('refuses %s', async (_what, query, details) => {
    const response = await client.get(`${V2026}?${query()}`)
    expect(errorOf(response)).toMatchObject({ status: 400, details: expect.stringContaining(details) })
    if (modelsArePresent) conformsTo('orders_2026-01-01.json', 'ErrorList', response.json())
  })
})
